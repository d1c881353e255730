import type { ModulePage } from '../src/module/module-page.ts'

/** What a page does to its thread, by the last part of its URL; any other name is a page like most. */
const deeds: Readonly<Record<string, () => unknown>> = {
  heap() {
    const all: object[] = []
    for (;;) all.push({ all })
  },
  exit: () => process.exit(1),
  loop() {
    for (;;);
  },
  throw() {
    throw new Error('on purpose')
  },
  abort: () => process.abort(),
  gigabyte() {
    kept.push(new ArrayBuffer(1e9))
    return {}
  },
}
const kept: ArrayBuffer[] = []

export const murderous: readonly string[] = Object.keys(deeds)

export function parse({ $, url, links }: ModulePage) {
  const deed = deeds[url.slice(url.lastIndexOf('/') + 1)]
  if (deed !== undefined) return deed() as object
  return {
    title: $('title').first().text(),
    description: $('meta[name="description"]').attr('content'),
    headings: $('h1, h2')
      .get()
      .map(element => $(element).text()),
    images: $('img')
      .get()
      .map(element => $(element).attr('src') ?? null),
    links: links(),
  }
}
