import { hash } from 'node:crypto'
import type { Item, ParseRequest } from '../core/wire.ts'

/** 120 bits: two of a billion items share one with a chance of 10^-18. */
const idCharacters = 20

/**
 * Items with an `_id` each: the same whenever the page is read again, so that whoever is given an item twice can tell.
 * It is made of the URL as it was asked for, the page rule, and the place on the page.
 */
export const withIds = (items: readonly Item[], { askedUrl, page }: ParseRequest): Item[] =>
  items.map((item, nth) => ({
    ...item,
    _id: idOf(askedUrl, page, typeof item._index === 'number' ? item._index : nth),
  }))

const idOf = (url: string, page: string, index: number): string =>
  hash('sha256', JSON.stringify([url, page, index]), 'base64url').slice(0, idCharacters)
