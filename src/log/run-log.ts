import { pino } from 'pino'
import { errorTraits } from '../core/errors.ts'
import { listen } from '../core/events.ts'
import { withoutCredentials } from '../core/url.ts'

/** The events of one run as JSON lines in a file: one line each, no credentials, nothing for a page that went well. */
export interface RunLog extends AsyncDisposable {}

export async function openRunLog(run: string, path: string): Promise<RunLog> {
  const destination = pino.destination({ dest: path, sync: false, append: true })
  await new Promise<void>((resolve, reject) => {
    destination.once('ready', resolve)
    destination.once('error', reject)
  })
  // A log that cannot be written any more must not end a crawl that can.
  destination.on('error', () => {})
  const log = pino({ base: { run } }, destination)
  const listener = listen(run, {
    'run.started': ({ name }) => log.info({ name }, 'run started'),
    'run.ended': ({ stopped }) => log.info({ stopped }, 'run ended'),
    'task.settled'({ task, fate }) {
      const url = withoutCredentials(task.url)
      if (fate.kind === 'dead') {
        const { code, message } = fate.fault
        log.warn({ url, code, blame: errorTraits[code].blame, status: fate.status, reason: message }, 'url ended dead')
      } else if (fate.kind === 'skipped') log.info({ url, reason: fate.reason }, 'url skipped')
      else if (fate.kind === 'retry')
        log.info({ url, charge: fate.charge, attempts: task.attempts }, 'url waits for another try')
    },
    'lane.limit': ({ host, from, to, reason }) => log.info({ host, from, to, reason }, 'limit changed'),
    'lane.paused': ({ host, reason }) => log.warn({ host, reason }, 'host paused'),
    'parse.restarted': ({ code }) => log.warn({ code }, 'parse thread replaced'),
  })
  return {
    async [Symbol.asyncDispose]() {
      listener[Symbol.dispose]()
      await new Promise<void>(resolve => {
        destination.once('close', resolve)
        destination.end()
      })
    },
  }
}
