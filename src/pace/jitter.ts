export interface DelayRange {
  readonly min: number
  readonly max: number
}

/** Uniform in [min, max]: clients that began together do not stay in step. */
export const jitterMs = ({ min, max }: DelayRange, random: () => number): number => min + (max - min) * random()
