import { existsSync, readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type Browser, chromium, type Page } from 'playwright-core'

const paths = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']
const executablePath = paths.find(existsSync)

/** Null: there is no browser here, which is said; nothing is downloaded. */
export const hasBrowser = executablePath !== undefined
if (!hasBrowser) console.log(`No Chromium at ${paths.join(', ')}: pages are not looked at in a browser.`)

export async function openBrowser(): Promise<Browser> {
  return chromium.launch({ ...(executablePath !== undefined && { executablePath }), args: ['--no-sandbox'] })
}

export interface Looks {
  readonly colorScheme: 'light' | 'dark'
  readonly width?: number
}

/** The one of a browser, which shows one file after another: each more would be a process of its own. */
async function pageOf(browser: Browser, { colorScheme, width = 1280 }: Looks): Promise<Page> {
  const page = browser.contexts()[0]?.pages()[0] ?? (await browser.newPage())
  await page.emulateMedia({ colorScheme })
  await page.setViewportSize({ width, height: 900 })
  return page
}

/** What a browser sees of a page in a file, and what it had to complain about. One at a time. */
export async function lookAt<T>(
  browser: Browser,
  html: string,
  looks: Looks,
  see: (page: Page) => Promise<T>,
): Promise<{ readonly seen: T; readonly complaints: readonly string[] }> {
  const folder = await mkdtemp(join(tmpdir(), 'millrace-page-'))
  const file = join(folder, 'page.html')
  await writeFile(file, html)
  const complaints: string[] = []
  const page = await pageOf(browser, looks)
  page.on('console', message => complaints.push(message.text()))
  page.on('pageerror', error => complaints.push(error.message))
  page.on('dialog', dialog => {
    complaints.push(`dialog: ${dialog.message()}`)
    void dialog.dismiss()
  })
  page.on('request', request => {
    if (request.url() !== pathToFileURL(file).href) complaints.push(`asked for ${request.url()}`)
  })
  try {
    await page.goto(pathToFileURL(file).href)
    return { seen: await see(page), complaints }
  } finally {
    await page.removeAllListeners(undefined, { behavior: 'wait' })
    await page.goto('about:blank')
    await rm(folder, { recursive: true })
  }
}

export interface Layout {
  readonly background: string
  readonly pageWidth: number
  /** Texts whose contrast to what is behind them is below 4.5. */
  readonly faint: readonly string[]
  /** Texts of a plot that lie on each other, or beyond its edge. */
  readonly clashing: readonly string[]
  /** Plots without a title or a text for those who do not see them, and tables without a caption. */
  readonly unnamed: readonly string[]
  readonly plots: number
}

const layoutScript = readFileSync(new URL('layout.js', import.meta.url), 'utf8')

/** What a person would notice. */
export const layoutOf = (page: Page): Promise<Layout> => page.evaluate(layoutScript)
