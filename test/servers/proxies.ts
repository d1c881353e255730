import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { accessSync, constants } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Server } from 'proxy-chain'
import type { ProxyAddress, ProxyProtocol } from '../../src/core/route.ts'
import { cert, key } from '../fetch/certificates.ts'

/** A proxy that others wrote. */
export interface RealProxy extends AsyncDisposable {
  readonly protocol: ProxyProtocol
  readonly port: number
  readonly credentials: ProxyAddress['credentials']
  /** Connections that came to it; null: it does not tell. */
  readonly connections: number | null
  /** As whom they came. */
  readonly users: readonly string[]
}

type Credentials = NonNullable<ProxyAddress['credentials']>

/**
 * A server of `proxy-chain`, which lets in who knows the password.
 * @param exits addresses of this machine that connections leave from, in turn
 */
export async function startProxyChain(
  protocol: 'http' | 'https',
  credentials: Credentials | null,
  exits: readonly string[] = [],
): Promise<RealProxy> {
  const users: string[] = []
  let connections = 0
  const server = new Server({
    port: 0,
    host: '127.0.0.1',
    ...(protocol === 'https' ? { serverType: 'https', httpsOptions: { key, cert } } : { serverType: 'http' }),
    prepareRequestFunction({ username, password }) {
      const exit = exits[users.length % exits.length]
      users.push(username)
      const requestAuthentication = credentials !== null && password !== credentials.password
      return { requestAuthentication, ...(exit !== undefined && { localAddress: exit }) }
    },
  })
  server.on('error', () => {})
  await server.listen()
  server.server.on(protocol === 'https' ? 'secureConnection' : 'connection', () => {
    connections += 1
  })
  return {
    protocol,
    port: server.port,
    credentials,
    get connections() {
      return connections
    },
    users,
    [Symbol.asyncDispose]: () => server.close(true),
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  return typeof address === 'object' && address !== null ? address.port : 0
}

function find(program: string): string | null {
  for (const folder of [...(process.env.PATH ?? '').split(':'), '/usr/bin', '/usr/sbin'])
    try {
      accessSync(join(folder, program), constants.X_OK)
      return join(folder, program)
    } catch {}
  return null
}

const answers = (port: number): Promise<boolean> =>
  new Promise(tell => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => tell(true)).once('error', () => tell(false))
    socket.once('connect', () => socket.destroy())
  })

/** Comes up in its own time, which nothing tells but that it answers. */
async function whenUp(child: ChildProcess, port: number): Promise<void> {
  for (let turn = 0; turn < 200; turn += 1) {
    if (await answers(port)) return
    if (child.exitCode !== null) break
    await new Promise(resolve => setTimeout(resolve, 25))
  }
  throw new Error(`${child.spawnfile} did not come up on port ${port}`)
}

interface Program {
  readonly name: string
  readonly protocol: ProxyProtocol
  readonly credentials: Credentials | null
  readonly configuration: (port: number) => string
  readonly flags: (port: number, configuration: string) => readonly string[]
}

const login: Credentials = { user: 'someone', password: 'open-sesame-42' }

const programs: readonly Program[] = [
  {
    name: 'tinyproxy',
    protocol: 'http',
    credentials: login,
    configuration: port =>
      `Port ${port}\nListen 127.0.0.1\nTimeout 60\nMaxClients 50\nBasicAuth ${login.user} ${login.password}\n`,
    flags: (_, configuration) => ['-d', '-c', configuration],
  },
  {
    name: 'squid',
    protocol: 'http',
    credentials: null,
    configuration: port =>
      [
        `http_port 127.0.0.1:${port}`,
        'http_access allow all',
        'cache deny all',
        'access_log none',
        'cache_log /dev/null',
        'cache_store_log none',
        'pid_filename none',
        'pinger_enable off',
        'netdb_filename none',
        'shutdown_lifetime 0 seconds',
        'forward_max_tries 1',
        '',
      ].join('\n'),
    flags: (_, configuration) => ['-N', '-f', configuration],
  },
  {
    name: 'microsocks',
    protocol: 'socks5h',
    credentials: login,
    configuration: () => '',
    flags: port => ['-i', '127.0.0.1', '-p', `${port}`, '-u', login.user, '-P', login.password],
  },
]

export interface Installed {
  readonly name: string
  /** Null: not on this machine. */
  readonly start: (() => Promise<RealProxy>) | null
}

async function startProgram(path: string, program: Program): Promise<RealProxy> {
  const { protocol, credentials } = program
  const port = await freePort()
  const folder = await mkdtemp(join(tmpdir(), 'millrace-proxy-'))
  const configuration = join(folder, `${program.name}.conf`)
  await writeFile(configuration, program.configuration(port))
  const child = spawn(path, program.flags(port, configuration), { stdio: 'ignore' })
  await whenUp(child, port)
  return {
    protocol,
    port,
    credentials,
    connections: null,
    users: [],
    async [Symbol.asyncDispose]() {
      if (child.exitCode === null && child.kill('SIGKILL')) await once(child, 'exit')
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** What system packages bring, where they are installed. */
export const installedProxies: readonly Installed[] = programs.map(program => {
  const path = find(program.name)
  return { name: program.name, start: path === null ? null : () => startProgram(path, program) }
})
