import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import type { DemoUrls } from './addresses.ts'
import { type Catalogue, createCatalogue } from './catalogue.ts'
import { createEncoder } from './charset.ts'
import { type Coding, codingFor, encode } from './coding.ts'
import { createDemoPages, type DemoAnswer } from './pages.ts'

export interface DemoSiteOptions {
  /** Another seed, another shop of the same shape. */
  readonly seed?: number
  /** What the slowest page takes; the other slow ones take between three eighths of it and all. 0: none is slow. */
  readonly slowMs?: number
}

export interface DemoStats {
  readonly requests: number
  /** Most requests that were being answered at the same time, by host. */
  readonly peakInFlightByHost: Readonly<Record<string, number>>
  readonly byStatus: Readonly<Record<string, number>>
}

/** A shop of 300 products on three hosts of this machine, for as long as it is not disposed of. */
export interface DemoSite extends AsyncDisposable {
  readonly urls: DemoUrls
  /** Host names with the port, in the order home, shop, media. */
  readonly hosts: readonly string[]
  readonly catalogue: Catalogue
  /** So far, as the server saw it. */
  stats(): DemoStats
}

const siteNames: Readonly<Record<string, keyof DemoUrls>> = {
  '127.0.0.1': 'home',
  'shop.localhost': 'shop',
  'media.localhost': 'media',
}

interface Counts {
  requests: number
  readonly inFlight: Map<string, number>
  readonly peak: Map<string, number>
  readonly byStatus: Map<string, number>
}

/** Counts a request in, and out again when its answer was sent or its connection is gone. */
function count(counts: Counts, host: string, response: ServerResponse): void {
  const now = (counts.inFlight.get(host) ?? 0) + 1
  counts.requests += 1
  counts.inFlight.set(host, now)
  counts.peak.set(host, Math.max(now, counts.peak.get(host) ?? 0))
  response.once('close', () => {
    counts.inFlight.set(host, (counts.inFlight.get(host) ?? 1) - 1)
    const status = response.headersSent ? String(response.statusCode) : 'none'
    counts.byStatus.set(status, (counts.byStatus.get(status) ?? 0) + 1)
  })
}

function sendText(response: ServerResponse, status: number, text: string, headers: Record<string, string> = {}): void {
  response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8', ...headers }).end(text)
}

/** Bodies are made once for each coding, and kept: after the first request the site costs next to nothing. */
function createBodies(): (key: string, answer: DemoAnswer, coding: Coding) => Promise<Uint8Array> {
  const encoders = {
    'utf-8': createEncoder('utf-8'),
    'windows-1252': createEncoder('windows-1252'),
    shift_jis: createEncoder('shift_jis'),
  }
  const kept = new Map<string, Promise<Uint8Array>>()
  return (key, answer, coding) => {
    const full = `${coding} ${key}`
    const body = kept.get(full) ?? encode(encoders[answer.charset](answer.text()), coding)
    // Addresses without a page have no end, and are not worth keeping.
    if (answer.status !== 404) kept.set(full, body)
    return body
  }
}

/**
 * Serves the shop on 127.0.0.1 at a free port. One server answers for three hosts, told apart by the Host header:
 * `127.0.0.1`, `shop.localhost` and `media.localhost`, which are this machine wherever names are looked up by RFC 6761.
 */
export async function startDemoSite({ seed = 1, slowMs = 800 }: DemoSiteOptions = {}): Promise<DemoSite> {
  const catalogue = createCatalogue(seed)
  const counts: Counts = { requests: 0, inFlight: new Map(), peak: new Map(), byStatus: new Map() }
  const bodyOf = createBodies()
  const sentAway = new Set<string>()
  const closing = new AbortController()

  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const host = (request.headers.host ?? '').toLowerCase()
    count(counts, host, response)
    const site = siteNames[host.replace(/:\d+$/, '')]
    if (site === undefined) return sendText(response, 421, `This server does not answer for "${host}".\n`)
    if (request.method !== 'GET' && request.method !== 'HEAD')
      return sendText(response, 405, 'There is nothing to do here but read.\n', { allow: 'GET, HEAD' })
    const path = (request.url ?? '/').replace(/[?#].*$/s, '')
    const answer = pages.answer(site, path)
    const key = `${site} ${path}`
    if (answer.throttledOnce && !sentAway.has(key)) {
      sentAway.add(key)
      return sendText(response, 429, 'One moment, please.\n', { 'retry-after': '1' })
    }
    if (answer.slowness > 0 && slowMs > 0) await pause(answer.slowness * slowMs, undefined, { signal: closing.signal })
    const coding = codingFor(request.headers['accept-encoding']?.toString() ?? '')
    const body = await bodyOf(key, answer, coding)
    response.writeHead(answer.status, {
      'content-type': answer.contentType,
      'content-length': body.byteLength,
      vary: 'accept-encoding',
      ...(coding === 'identity' ? {} : { 'content-encoding': coding }),
      ...(answer.location === null ? {} : { location: answer.location }),
    })
    response.end(request.method === 'HEAD' ? undefined : body)
  }

  const server = createServer((request, response) => {
    respond(request, response).catch(() => response.destroy())
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', resolve)
  })
  const { port } = server.address() as AddressInfo
  const hosts = Object.keys(siteNames).map(name => `${name}:${port}`)
  const urls: DemoUrls = {
    home: `http://127.0.0.1:${port}/`,
    shop: `http://shop.localhost:${port}/`,
    media: `http://media.localhost:${port}/`,
  }
  const pages = createDemoPages(catalogue, urls)

  return {
    urls,
    hosts,
    catalogue,
    stats: () => ({
      requests: counts.requests,
      peakInFlightByHost: Object.fromEntries(counts.peak),
      byStatus: Object.fromEntries(counts.byStatus),
    }),
    async [Symbol.asyncDispose]() {
      closing.abort()
      const closed = new Promise(resolve => server.close(resolve))
      server.closeAllConnections()
      await closed
    },
  }
}
