import { once } from 'node:events'
import { createWriteStream, type WriteStream } from 'node:fs'
import { pino } from 'pino'
import { errorTraits, sinkFailure } from '../core/errors.ts'
import { listen } from '../core/events.ts'
import { textWithoutCredentials, withoutCredentials } from '../core/url.ts'

/** The events of one run as JSON lines in a file: one line each, no credentials, nothing for a page that went well. */
export async function openRunLog(run: string, path: string): Promise<AsyncDisposable> {
  const destination = await openFile(path)
  // A log that cannot be written any more must not end a crawl that can, nor keep it from ending.
  destination.on('error', () => {})
  const log = pino({ base: { run } }, destination)
  const listener = listen(run, {
    'run.started': ({ name }) => log.info({ name }, 'run started'),
    'run.resumed'({ done, pending, changed, damage }) {
      log.info({ done, pending, changed }, 'run resumed')
      if (damage !== null) log.error({ damage }, 'state was damaged')
    },
    'run.ended': ({ stopped }) => log.info({ stopped }, 'run ended'),
    'run.stood': ({ quietMs, underWay, oldest, queued, waits }) =>
      log.warn(
        {
          quietMs: Math.round(quietMs),
          underWay,
          oldest: oldest.map(({ url, stage, ageMs }) => ({
            url,
            stage,
            ageMs: Math.round(ageMs),
          })),
          queued,
          waits,
        },
        'nothing moves',
      ),
    'task.settled'({ task, fate }) {
      const url = withoutCredentials(task.url)
      if (fate.kind === 'dead') {
        const { code, message } = fate.fault
        log.warn(
          { url, code, blame: errorTraits[code].blame, status: fate.status, reason: textWithoutCredentials(message) },
          'url ended dead',
        )
      } else if (fate.kind === 'skipped') log.info({ url, reason: fate.reason }, 'url skipped')
      else if (fate.kind === 'retry')
        log.info({ url, ...fate.cause, charge: fate.charge, attempts: task.attempts }, 'url waits for another try')
    },
    'lane.limit': ({ host, from, to, reason }) => log.info({ host, from, to, reason }, 'limit changed'),
    'lane.paused': ({ host, reason }) => log.warn({ host, reason }, 'host paused'),
    'proxy.paused': ({ proxy, region, reason }) => log.warn({ proxy, region, reason }, 'proxy left alone'),
    'proxy.resumed': ({ proxy, region }) => log.info({ proxy, region }, 'proxy is back'),
    'proxies.parked': ({ reason }) => log.warn({ reason }, 'run waits for a proxy'),
    'webhook.failed': ({ reason, tries, leftMs }) =>
      log.warn({ reason, tries, leftMs: Math.round(leftMs) }, 'webhook failed'),
    'cache.troubled': ({ reason }) => log.warn({ reason }, 'cache troubled'),
    'parse.restarted': ({ code }) => log.warn({ code }, 'parse thread replaced'),
  })
  return {
    async [Symbol.asyncDispose]() {
      listener[Symbol.dispose]()
      await new Promise<void>(resolve => {
        if (destination.closed) return resolve()
        destination.once('close', resolve)
        destination.end()
      })
    },
  }
}

/** A stream of Node's own: after an error it closes, where a stream that tries again would never end. */
async function openFile(path: string): Promise<WriteStream> {
  const stream = createWriteStream(path, { flags: 'a' })
  try {
    await once(stream, 'open')
    return stream
  } catch (cause) {
    throw sinkFailure(path, 'could not be opened for writing', cause)
  }
}
