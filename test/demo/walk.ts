import { type CheerioAPI, load } from 'cheerio'
import { urlKey } from '../../src/core/url.ts'
import type { DemoUrls } from '../../src/demo/addresses.ts'
import { demoJob } from '../../src/demo/job.ts'
import { get, textOf } from './get.ts'

interface Rule {
  readonly name: string
  readonly match: string
  readonly follow: readonly string[]
}

export interface Walk {
  readonly done: ReadonlyMap<string, { readonly rule: string; readonly $: CheerioAPI }>
  readonly failed: readonly string[]
  readonly refused: readonly string[]
  readonly redirectedToKnown: readonly string[]
}

/** Reads HTML as the default parser of jobs does. */
const read = (text: string): CheerioAPI => load(text, { xml: { xmlMode: false, decodeEntities: true } })

/** What a robots file says to everybody. */
const pathsOf = (robots: string): readonly { readonly path: string; readonly isOpen: boolean }[] =>
  [...(robots.split('User-agent: *')[1] ?? '').matchAll(/^(Allow|Disallow): (\S+)$/gm)].map(([, verb, path = '']) => ({
    path,
    isOpen: verb === 'Allow',
  }))

/**
 * The demo job done by the plainest crawler there is, one page after the other: a second opinion on what a run has to
 * come to. `order` says which of the waiting URLs is next, since no count may depend on it.
 */
export async function walk(urls: DemoUrls, order: (waiting: number) => number): Promise<Walk> {
  const job = demoJob(urls) as {
    readonly pages: readonly Rule[]
    readonly scope: { readonly include: readonly string[] }
  }
  const include = job.scope.include.map(pattern => new URLPattern(pattern))
  const rules = job.pages.map(rule => ({ rule, pattern: new URLPattern({ pathname: rule.match }) }))
  const ruleFor = (url: string): Rule | undefined => rules.find(({ pattern }) => pattern.test(url))?.rule
  const robots = new Map(
    await Promise.all(
      Object.values({ ...urls }).map(async origin => {
        const url = `${origin}robots.txt`
        return [new URL(origin).host, pathsOf(textOf(await get(url)))] as const
      }),
    ),
  )
  const known = new Set<string>()
  const waiting: string[] = []
  const add = (url: string): void => {
    if (!include.some(pattern => pattern.test(url)) || known.has(urlKey(new URL(url)))) return
    known.add(urlKey(new URL(url)))
    waiting.push(url)
  }
  const done = new Map<string, { rule: string; $: CheerioAPI }>()
  const failed: string[] = []
  const refused: string[] = []
  const redirectedToKnown: string[] = []

  /** The longest path that fits decides, as RFC 9309 says; the files of the demo use no wildcards. */
  function mayAsk(url: string): boolean {
    const { host, pathname } = new URL(url)
    const fitting = (robots.get(host) ?? []).filter(({ path }) => pathname.startsWith(path))
    return fitting.sort((one, other) => other.path.length - one.path.length)[0]?.isOpen ?? true
  }

  async function visit(asked: string): Promise<void> {
    let url = asked
    const rule = ruleFor(asked)
    for (;;) {
      if (!mayAsk(url)) return void refused.push(asked)
      const answer = await get(url, { 'accept-encoding': 'gzip, br' })
      if (answer.status === 429) continue
      if (answer.status >= 400) return void failed.push(asked)
      if (answer.status < 300) {
        const $ = read(textOf(answer))
        done.set(asked, { rule: rule?.name ?? '', $ })
        for (const selector of rule?.follow ?? [])
          for (const element of $(selector)) {
            const target = URL.parse($(element).attr('href') ?? '', url)
            if (target !== null && ruleFor(target.href) !== undefined) add(target.href.replace(/#.*$/, ''))
          }
        return
      }
      url = new URL(answer.headers.location ?? '', url).href
      if (known.has(urlKey(new URL(url)))) return void redirectedToKnown.push(asked)
      known.add(urlKey(new URL(url)))
    }
  }

  add(urls.home)
  while (waiting.length > 0) for (const url of waiting.splice(order(waiting.length), 1)) await visit(url)
  return { done, failed, refused, redirectedToKnown }
}
