import { Agent } from 'undici'
import { finish, task } from './figures.ts'

/** The limit of the I/O: bodies come and are dropped. */
const agent = new Agent({ connections: task.concurrency })
let next = 0
let pages = 0

const fetchOne = (url: string): Promise<void> =>
  new Promise((resolve, reject) => {
    const { origin, pathname } = new URL(url)
    const chunks: Uint8Array[] = []
    agent.dispatch(
      { origin, path: pathname, method: 'GET' },
      {
        onRequestStart() {},
        onResponseStart() {},
        onResponseData: (_, chunk) => void chunks.push(chunk),
        onResponseEnd() {
          pages += Buffer.concat(chunks).length > 0 ? 1 : 0
          resolve()
        },
        onResponseError: (_, error) => reject(error),
      },
    )
  })

async function line(): Promise<void> {
  for (let url = task.urls[next++]; url !== undefined; url = task.urls[next++]) await fetchOne(url)
}

await Promise.all(Array.from({ length: task.concurrency }, line))
await agent.close()
finish(pages)
