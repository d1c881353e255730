import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { fetcherWith, get, messageOf, timeouts, wordsOf } from '../fetch/kit.ts'
import { createRawServer } from '../servers/raw.ts'

const data = resolve(import.meta.dirname, '../../../shared/data/llhttp-response')
const isThere = existsSync(data)
if (!isThere) console.log(`llhttp conformance skipped: ${data} is not there`)

interface Case {
  readonly name: string
  readonly bytes: string
  /** What a strict parser makes of it. */
  readonly expected: 'answered' | 'until the end' | 'broken' | 'anything'
}

/** The notation of the suite: its line ends are CRLF, and what is escaped is meant. */
const bytesOf = (text: string): string =>
  text
    .replace(/\n$/, '')
    .replace(/\\\n/g, '')
    .replace(/\n/g, '\r\n')
    .replace(/\\r/g, '\r')
    .replace(/\\n/g, '\n')
    .replace(/\\t/g, '\t')
    .replace(/\\f/g, '\f')
    .replace(/\\x([0-9a-fA-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))

const chunkedFlag = 8

/** Of the message that answers: interim ones (1xx) come before it. */
function expectedOf(meta: string, log: string): Case['expected'] {
  if (!/"type": "response"/.test(meta) || /skipBody/.test(meta)) return 'anything'
  const messages = log.split(/message begin/).slice(1)
  const final = messages.find(message => !/status=1\d\d/.test(message))
  if (final === undefined) return 'broken'
  if (/message complete/.test(final)) return 'answered'
  const [, flags = '0', length] = /headers complete .* flags=(\w+) content_length=(\d+)/.exec(final) ?? []
  const isFramed = length !== '0' || (Number.parseInt(flags, 16) & chunkedFlag) !== 0
  return /error code=/.test(log) || isFramed ? 'broken' : 'until the end'
}

function casesOf(file: string): readonly Case[] {
  const text = readFileSync(resolve(data, file), 'utf8')
  const found = text.matchAll(/^#+ (.*)\n[^#]*?(<!-- meta=.*-->)\n```http\n([\s\S]*?)```\n\n```log\n([\s\S]*?)```/gm)
  return [...found].map(([, name = '', meta = '', http = '', log = '']) => ({
    name,
    bytes: bytesOf(http),
    expected: expectedOf(meta, log),
  }))
}

/** Statuses after which a whole answer is no page, or no success. */
const isAnswer = (words: string): boolean =>
  /^(page|gone|moved|throttled) |^failed (SERVER_ERROR|HTTP_STATUS|REDIRECT_INVALID)/.test(words)

/** Where the parser that undici brings differs from the suite. It makes no wrong page of a right one. */
const known: Readonly<Record<string, string>> = {
  // It reads a lone CR after the status as the end of the line.
  'Bare CR followed by CR after response line': 'page 200 "Evil"',
}

describe.skipIf(!isThere)('answers of the llhttp suite, on the wire', () => {
  for (const file of isThere ? readdirSync(data).filter(name => name.endsWith('.md')) : [])
    for (const { name, bytes, expected } of casesOf(file))
      test(`${file}: ${name} is ${expected}`, async () => {
        await using server = await createRawServer({ answer: bytes, close: true })
        await using fetcher = fetcherWith({ timeouts: { ...timeouts, firstByteMs: 500, idleMs: 500, totalMs: 1_000 } })
        const outcome = await get(fetcher, server.url())
        const words = wordsOf(outcome)
        expect(words).not.toContain('INVARIANT')
        if (known[name] !== undefined) expect(words).toBe(known[name])
        else if (expected === 'answered' || expected === 'until the end')
          expect(isAnswer(words), `${words} ${messageOf(outcome)}`).toBe(true)
        else if (expected === 'broken') expect(isAnswer(words), words).toBe(false)
      })
})
