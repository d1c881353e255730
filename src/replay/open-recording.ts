import { createReadStream } from 'node:fs'
import { access, mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { MillraceError } from '../core/errors.ts'
import { reasonPhrase } from '../core/reason-phrase.ts'
import { withoutCredentials } from '../core/url.ts'
import { contentTypeOf } from '../decode/content-type.ts'
import { type AttemptTask, isOutcomeRecord, outcomeOfRecord, taskOfRecord, timingOfRecord } from '../warc/attempt.ts'
import { readWarc, type WarcRecord } from '../warc/read.ts'
import { type ArchivedResponse, isResponse, responseOf } from '../warc/response.ts'
import type { Chain, PageAttempt, RecordedAttempt, Recording } from './recording.ts'

/** Above any page. */
const mostRecordBytes = 256_000_000

const bufferedBytes = 2 ** 20

/** Of archives of others: what came beside pages, and no task of ours asked for. */
const notPages = /^(?:image|video|audio|font)\/|^text\/(?:css|javascript)$|^application\/(?:x-)?javascript$/

const isPage = ({ status, headers }: ArchivedResponse): boolean =>
  status >= 200 && status <= 299 && !notPages.test(contentTypeOf(headers['content-type'] ?? '').essence)

/** How an answer was framed is the server's matter, and this one is framed by its length. */
const framing: ReadonlySet<string> = new Set(['content-length', 'transfer-encoding', 'connection', 'keep-alive'])

/** As the built-in server sends it. */
function headOf({ status, headers, body }: ArchivedResponse): Buffer {
  const lines = Object.entries(headers).filter(([name]) => !framing.has(name))
  const text = [
    `HTTP/1.1 ${status} ${reasonPhrase(status)}`,
    ...lines.map(([name, value]) => `${name}: ${value}`),
    `content-length: ${body.byteLength}`,
  ].join('\r\n')
  return Buffer.from(`${text}\r\n\r\n`, 'latin1')
}

const keyOf = (askedUrl: string, session: string | null): string => `${session ?? ''} ${askedUrl}`

/** The archive of somebody else says nothing of tasks: each page of it is one. */
const plainTask = (askedUrl: string): AttemptTask => ({ askedUrl, page: '', depth: 0, session: null, meta: null })

/**
 * Reads an archive once, from its beginning to its end, and unpacks its answers into a file of their own: what is measured
 * later is neither paid for by unpacking the archive nor limited by it. In memory are some hundred bytes for each attempt.
 *
 * @throws CONFIG_INVALID the archive cannot be read, or has no page
 */
export async function openRecording(path: string): Promise<Recording> {
  await access(path).catch(cause => {
    throw new MillraceError('CONFIG_INVALID', `${path} cannot be read; expected a web archive (.warc or .warc.gz)`, {
      cause,
    })
  })
  await using opening = new AsyncDisposableStack()
  const scratch = await mkdtemp(join(tmpdir(), 'millrace-replay-'))
  opening.defer(() => rm(scratch, { recursive: true, force: true }))
  const answers = join(scratch, 'answers')
  const file = await open(answers, 'w+')
  opening.defer(() => file.close())

  const chains = new Map<string, Chain & { readonly attempts: RecordedAttempt[] }>()
  let pending: Uint8Array[] = []
  let pendingBytes = 0
  let writtenBytes = 0
  let nth = 0
  let damage: string | null = null

  async function flush(): Promise<void> {
    const piece = Buffer.concat(pending)
    for (let done = 0; done < piece.byteLength; ) done += (await file.write(piece, done)).bytesWritten
    pending = []
    pendingBytes = 0
  }

  function add(task: AttemptTask, attempt: RecordedAttempt): void {
    const key = keyOf(task.askedUrl, task.session)
    const chain = chains.get(key) ?? { nth: chains.size, task, attempts: [] }
    chain.attempts.push(attempt)
    chains.set(key, chain)
    nth += 1
  }

  function addPage({ fields }: WarcRecord, response: ArchivedResponse): void {
    const task = taskOfRecord(fields)
    const { url, at, body } = response
    const timing = timingOfRecord(fields)
    const head = headOf(response)
    const attempt: PageAttempt = {
      kind: 'page',
      ...{ nth, url, at, timing, page: task?.page ?? null, tookMs: timing?.totalMs ?? 0 },
      ...{ atByte: writtenBytes, headBytes: head.byteLength, bodyBytes: body.byteLength },
    }
    pending.push(head, body)
    pendingBytes += head.byteLength + body.byteLength
    writtenBytes += head.byteLength + body.byteLength
    add(task ?? plainTask(url), attempt)
  }

  function addBarren({ fields, block }: WarcRecord): void {
    const task = taskOfRecord(fields)
    const read = outcomeOfRecord(block)
    const url = fields['warc-target-uri'] ?? ''
    if (task === null || read === null || !URL.canParse(url)) return
    const { ended: outcome, tookMs } = read
    const at = fields['warc-date'] ?? ''
    add(task, { kind: 'barren', nth, url, at, timing: outcome.timing, page: task.page, tookMs, outcome })
  }

  const isOurs = (fields: Readonly<Record<string, string>>): boolean => isResponse(fields) || isOutcomeRecord(fields)
  for await (const record of readWarc(createReadStream(path), isOurs, mostRecordBytes)) {
    if ('reason' in record) damage ??= `${path}, byte ${record.atByte}: ${record.reason}`
    else if (isOutcomeRecord(record.fields)) addBarren(record)
    else {
      const response = responseOf(record)
      if (response !== null && (taskOfRecord(record.fields) !== null || isPage(response))) addPage(record, response)
    }
    if (pendingBytes >= bufferedBytes) await flush()
  }
  await flush()
  if (writtenBytes === 0)
    throw new MillraceError('CONFIG_INVALID', `${path} has no page to replay${damage === null ? '' : ` (${damage})`}`)

  const opened = opening.move()
  return {
    chains: [...chains.values()],
    chainOf: (askedUrl, session) => chains.get(keyOf(withoutCredentials(askedUrl), session)) ?? null,
    answers,
    damage,
    async read({ atByte, headBytes, bodyBytes }) {
      const bytes = new Uint8Array(headBytes + bodyBytes)
      const { bytesRead } = await file.read(bytes, 0, bytes.byteLength, atByte)
      if (bytesRead < bytes.byteLength)
        throw new MillraceError('INVARIANT', `${answers} is shorter than it was: ${bytesRead} bytes at ${atByte}`)
      return bytes
    },
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}
