import type { Fate } from '../core/fate.ts'
import type { Page } from '../core/page.ts'
import type { ParseReply } from '../core/wire.ts'
import { addLinks } from './add-links.ts'
import type { House } from './house.ts'
import { settle } from './settle.ts'

/**
 * The end of a page that could not be read, or that lacks what its rule requires. Where its links are known they are
 * followed all the same: what one page lacks is no reason to lose those behind it.
 * @param copy of its body, of a page in whose company a thread has died before
 */
export async function settleFaulted(
  house: House,
  page: Page,
  copy: Uint8Array | null,
  { fault, links = [], moreLinks = [] }: ParseReply & { readonly kind: 'faulted' },
): Promise<Fate> {
  const fate = await house.suspects.fateAfter(page, copy, fault)
  return await addLinks(house, page, { links, moreLinks }, null, () => settle(house, page.task, fate, 'parse'))
}
