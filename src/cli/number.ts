import { InvalidArgumentError } from 'commander'

/** Reads the number of an option. */
export const wholeNumber =
  (least: number) =>
  (text: string): number => {
    if (!/^\d+$/.test(text) || Number(text) < least)
      throw new InvalidArgumentError(`a whole number of at least ${least} is accepted.`)
    return Number(text)
  }
