import type { JobInput } from '../src/index.ts'

/** What every contestant extracts from each page. */
export const fields = {
  title: 'title',
  description: { selector: 'meta[name="description"]', value: 'content' },
  canonical: { selector: 'link[rel="canonical"]', value: 'href' },
  h1: ['h1'],
  h2: ['h2'],
  links: [{ selector: 'a[href]', value: 'href' }],
  images: [{ selector: 'img', value: 'src' }],
} satisfies JobInput['item']

export const benchJob = (urls: readonly string[], inFlight: number): JobInput => ({
  name: 'bench',
  seeds: [...urls],
  item: fields,
  limits: { perHost: { policy: 'fixed', max: inFlight }, rate: 'none', delayMs: 0, inFlight },
})
