import type { CheerioAPI } from 'cheerio'

/** The fields of `crawl-job.ts` as people write them with cheerio. */
export function fieldsBy($: CheerioAPI): unknown {
  const textsOf = (selector: string): string[] =>
    $(selector)
      .get()
      .map(element => $(element).text())
  const valuesOf = (selector: string, name: string) =>
    $(selector)
      .get()
      .map(element => $(element).attr(name))
  return {
    title: $('title').first().text(),
    description: $('meta[name="description"]').attr('content') ?? null,
    canonical: $('link[rel="canonical"]').attr('href') ?? null,
    h1: textsOf('h1'),
    h2: textsOf('h2'),
    links: valuesOf('a[href]', 'href'),
    images: valuesOf('img', 'src'),
  }
}
