import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Report } from '../../src/observe/report.ts'
import { runPage } from '../../src/report/run-page.ts'
import { hasBrowser, layoutOf, lookAt, openBrowser } from './browser.ts'
import { someReport } from './kit.ts'

const hostile = [
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  "' onmouseover='alert(1)",
  '</title></style><svg onload=alert(1)>',
  '<!-- <a href="javascript:alert(1)">',
  '\u202egnp.exe\u0000\u001b[31m',
  '\ud800 half a pair',
]

const hostileReport = () => {
  const [host] = someReport().hosts
  const [rule] = someReport().pageRules
  const text = hostile.join(' ')
  if (host === undefined || rule === undefined) throw new Error('the report of the tests has a host and a page rule')
  return someReport({
    name: text,
    hosts: hostile.map(name => ({ ...host, host: name, notes: [name], reason: name })),
    pageRules: hostile.map(page => ({ ...rule, page })),
    traps: hostile.map(example => ({ kind: 'calendar' as const, pattern: example, urls: 1, example })),
    timeline: { ...someReport().timeline, errors: { [text]: someReport().timeline.pages } },
    bottleneck: { ...someReport().bottleneck, sentence: text },
  })
}

describe('the page of a report', () => {
  test('has the verdict before everything else that was measured', () => {
    const html = runPage(someReport())
    const order = [
      'The hosts&#39; answers bind',
      'twice the concurrency',
      'Pages read',
      'Stages',
      'Hosts, the busiest',
    ].map(text => html.indexOf(text))
    expect(order).not.toContain(-1)
    expect(order).toEqual(order.toSorted((left, right) => left - right))
  })

  test('says how many hosts of a run over very many are not kept', () => {
    const note = 'hosts of few answers that are not kept'
    expect(runPage(someReport({ droppedHosts: 98_000 }))).toContain(`${note}: 98,000`)
    expect(runPage(someReport())).not.toContain(note)
  })

  test('draws the limit of a host from where its changes are known', () => {
    const startOf = (droppedLimitChanges: number): number => {
      const hosts = someReport().hosts.map(host => ({ ...host, droppedLimitChanges }))
      return Number(/id="limits[\s\S]*?class="line[^"]*" d="M([\d.]+)/.exec(runPage(someReport({ hosts })))?.[1])
    }
    expect(startOf(5)).toBeGreaterThan(startOf(0))
  })

  test('tells a sizeable tail of the run before what bound it on average, and a report of old without', () => {
    const sentence = 'For the last 60 s of 70 s only 1 URL was left, http://a.test/<b>'
    const tail = { sentence } as NonNullable<Report['tail']>
    expect(runPage(someReport({ tail }))).toMatch(
      /Verdict"><p>For the last 60 s of 70 s only 1 URL was left, http:\/\/a\.test\/&lt;b&gt;<\/p><p>On average over all of it: The hosts/,
    )
    const { tail: _, ...old } = someReport()
    expect(runPage(old as Report)).toContain('Verdict"><p>The hosts')
  })

  test('of a run that went on says since when its plots are, and which figures are of all of it', () => {
    const html = runPage(someReport({ resumed: { done: 3, pending: 1 } }))
    expect(html).toContain(
      'went on 2026-01-02 03:04:05 UTC where an earlier run stopped, with 3 pages done and 1 URL to go. Items, URLs',
    )
    expect(html).toMatch(/Over time<\/h2>\s*<p class="note">Since the run went on, 2026-01-02 03:04:05 UTC\./)
    expect(runPage(someReport())).toContain('began 2026-01-02 03:04:05 UTC.')
    expect(runPage(someReport())).not.toContain('went on')
  })

  test('says with the evidence whether what was measured fits together', () => {
    expect(runPage(someReport())).toContain(' · is consistent: yes')
    const { bottleneck } = someReport()
    const evidence = { ...bottleneck.evidence, isConsistent: false, proxiesFull: null }
    const html = runPage(someReport({ bottleneck: { ...bottleneck, evidence } }))
    expect(html).toContain(' · is consistent: no')
    expect(html).toContain(' · in flight full 2 %')
    expect(html).not.toContain('proxies full')
  })

  test('stands alone: it loads nothing and runs nothing', () => {
    const html = runPage(someReport())
    expect(html).toContain('default-src &#39;none&#39;')
    expect(html).not.toMatch(/<script|<link|<img|\bsrc=|url\(|@import|\shref=|\son\w+=/i)
  })

  test('is small, however long the run and however many its hosts', () => {
    const [host] = someReport().hosts
    const many = Array.from({ length: 240 }, (_, nth) => nth % 97)
    const timeline = {
      ...someReport().timeline,
      ...{ pages: many, bytesIn: many, answers: many, refused: many, inFlight: many, parseQueue: many, parsing: many },
      errors: { HTTP_STATUS: many, THROTTLED: many, CONNECT_TIMEOUT: many, DNS_FAILED: many, other: many },
    }
    const hosts =
      host === undefined ? [] : Array.from({ length: 10_000 }, (_, nth) => ({ ...host, host: `${nth}.test` }))
    expect(runPage(someReport({ timeline, hosts, durationMs: 24_000 })).length).toBeLessThan(150_000)
  })

  test('is whole where a run did nothing', () => {
    const nothing = { ...someReport().timeline, pages: [], answers: [], errors: {} }
    const html = runPage(someReport({ hosts: [], proxies: [], pageRules: [], timeline: nothing, traps: [] }))
    expect(html).not.toMatch(/NaN|undefined|Infinity/)
  })

  test('says nothing that is no number', () => {
    expect(runPage(someReport())).not.toMatch(/NaN|undefined|Infinity|\[object/)
  })

  test('shows what strangers wrote, and does not do it', () => {
    const html = runPage(hostileReport())
    expect(html).not.toMatch(/<script|<img|<svg onload|<a /i)
    expect(html).not.toMatch(/[\u0000\u001b\u202e]/)
    expect(html.isWellFormed()).toBe(true)
  })
})

/** Where a plot begins and ends, in a window. */
interface Placed {
  readonly left: number
  readonly right: number
  readonly isSmaller: boolean
}

describe.skipIf(!hasBrowser)('in a browser, the page of a report', () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await openBrowser()
  })
  afterAll(() => browser?.close())

  for (const colorScheme of ['light', 'dark'] as const)
    test(`can be read in the ${colorScheme}`, async () => {
      const { seen, complaints } = await lookAt(browser, runPage(someReport()), { colorScheme }, layoutOf)
      expect(complaints).toEqual([])
      expect(seen).toMatchObject({ faint: [], clashing: [], unnamed: [] })
      expect(seen.plots).toBeGreaterThanOrEqual(8)
      expect(seen.background).toBe(colorScheme === 'light' ? 'rgb(255, 255, 255)' : 'rgb(20, 23, 28)')
    })

  test.each([500, 1000, 1400, 1700])(
    'has each moment in one place of a column, in letters below those of titles: %d wide',
    async width => {
      const { seen } = await lookAt(browser, runPage(someReport()), { colorScheme: 'light', width }, page =>
        page.evaluate<readonly Placed[]>(`[...document.querySelectorAll('.timed svg')].map(svg => {
        const { left, right } = svg.querySelector('.rule,.base').getBoundingClientRect()
        const letters = svg.getBoundingClientRect().width / svg.viewBox.baseVal.width * parseFloat(getComputedStyle(svg).fontSize)
        const title = parseFloat(getComputedStyle(svg.closest('figure').querySelector('figcaption')).fontSize)
        return { left: Math.round(left), right: Math.round(right), isSmaller: letters < title }
      })`),
      )
      expect(seen.filter(({ isSmaller }) => !isSmaller)).toEqual([])
      const columns = new Set(seen.map(({ left, right }) => `${left} to ${right}`))
      expect([...columns]).toHaveLength(width < 1340 ? 1 : 2)
    },
  )

  test('is no wider than a telephone', async () => {
    const { seen } = await lookAt(browser, runPage(someReport()), { colorScheme: 'light', width: 360 }, layoutOf)
    expect(seen.pageWidth).toBeLessThanOrEqual(360)
  })

  test('can be gone through by keyboard: what is too wide can be scrolled', async () => {
    const { seen } = await lookAt(browser, runPage(someReport()), { colorScheme: 'light', width: 360 }, async page => {
      await page.keyboard.press('Tab')
      return page.evaluate(
        "document.getElementById(document.activeElement.getAttribute('aria-labelledby')).textContent",
      )
    })
    expect(seen).toBe('Pages read')
  })

  test('lets nothing run that strangers wrote', async () => {
    const { seen, complaints } = await lookAt(browser, runPage(hostileReport()), { colorScheme: 'light' }, page =>
      page.evaluate("document.querySelectorAll('script,img,a,iframe,[onload],[onerror],[onmouseover]').length"),
    )
    expect({ seen, complaints }).toEqual({ seen: 0, complaints: [] })
  })
})
