import type { WholePage } from '../whole-page-field.ts'

/** What is made of a page once, for all fields that ask for it, and goes with the page. */
export function perPage<T>(make: (page: WholePage) => T): (page: WholePage) => T {
  const made = new WeakMap<WholePage, { readonly value: T }>()
  return page => {
    const known = made.get(page)
    if (known !== undefined) return known.value
    const value = make(page)
    made.set(page, { value })
    return value
  }
}
