import { createServer, type RequestListener } from 'node:http'
import { listen } from '../../src/bench/listen.ts'

export interface HttpServer extends AsyncDisposable {
  readonly url: string
}

/** A server of Node's own, on a port of its own; closing ends what is still connected. */
export async function createHttpServer(listener: RequestListener): Promise<HttpServer> {
  const server = createServer(listener)
  const port = await listen(server)
  return {
    url: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
    },
  }
}
