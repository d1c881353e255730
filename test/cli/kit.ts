import { execFile, spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import type { RequestListener } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { main } from '../main.ts'
import { createHttpServer } from '../servers/http.ts'

export interface Ended {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** Runs the command line as a user does: another process, with pipes. */
export const millrace = (args: readonly string[], cwd: string, stdin = ''): Promise<Ended> =>
  new Promise(resolve => {
    const child = execFile(process.execPath, [main, ...args], { cwd, maxBuffer: 1 << 24 }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : ((error as { code?: number }).code ?? null), stdout, stderr }),
    )
    child.stdin?.end(stdin)
  })

/** For runs that are about anything else: each thread more is a fifth of what a short run costs. */
export const oneThread = ['--threads', '1'] as const

/** Starts it, and leaves it running. */
export const startMillrace = (args: readonly string[], cwd: string) => spawn(process.execPath, [main, ...args], { cwd })

export interface Folder extends AsyncDisposable {
  readonly path: string
  write(name: string, text: string): Promise<string>
}

export async function temporaryFolder(): Promise<Folder> {
  const path = await mkdtemp(join(tmpdir(), 'millrace-cli-'))
  return {
    path,
    async write(name, text) {
      await writeFile(join(path, name), text)
      return join(path, name)
    },
    [Symbol.asyncDispose]: () => rm(path, { recursive: true }),
  }
}

export interface Site extends AsyncDisposable {
  readonly url: string
  readonly requests: number
}

export async function startSite(listener: RequestListener): Promise<Site> {
  let requests = 0
  const server = await createHttpServer((request, response) => {
    requests += 1
    listener(request, response)
  })
  return {
    url: server.url,
    get requests() {
      return requests
    },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  }
}

/** Ten pages in a row, each with a link to the next. */
export const tenPages: RequestListener = (request, response) => {
  const nth = Number(request.url?.slice(1))
  if (!(nth >= 0 && nth < 10)) {
    response.writeHead(404).end()
    return
  }
  response.setHeader('content-type', 'text/html; charset=utf-8')
  response.end(`<!doctype html><title>Page ${nth}</title><a href="/${nth + 1}">next</a>`)
}
