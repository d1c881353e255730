import { describe, expect, test } from 'vitest'
import { startProxyChain } from '../servers/proxies.ts'
import { millrace, startSite, temporaryFolder } from './kit.ts'

const credentials = { user: 'me', password: 'wonderful' }

/** Answers with the address it is asked from, and does not like one of them. */
const site = () =>
  startSite((request, response) => {
    response.statusCode = request.url === '/page' && request.socket.remoteAddress === '127.0.0.4' ? 403 : 200
    response.setHeader('Content-Type', 'application/json')
    response.end(JSON.stringify({ origin: request.socket.remoteAddress }))
  })

describe.skipIf(process.platform !== 'linux')('millrace proxies', () => {
  test('tells connect times, exits, connections a request and who is blocked where', async () => {
    await using folder = await temporaryFolder()
    await using echo = await site()
    await using rotating = await startProxyChain('http', credentials, ['127.0.0.2', '127.0.0.3'])
    await using blocked = await startProxyChain('http', credentials, ['127.0.0.4'])
    const list = [
      { url: `http://me:wonderful@127.0.0.1:${rotating.port}`, region: 'de', label: 'rotating' },
      { url: `http://me:wonderful@127.0.0.1:${blocked.port}`, region: 'fr', label: 'blocked' },
      { url: `http://me:wrong@127.0.0.1:${blocked.port}`, region: 'us', label: 'denied' },
      { url: 'http://127.0.0.1:1', region: 'us', label: 'away' },
    ]
    const job = { name: 'audited', seeds: [`${echo.url}/page`], item: { title: 'h1' }, proxies: { list } }
    const file = await folder.write('job.json', JSON.stringify(job))
    const args = ['proxies', file, '--echo', `${echo.url}/`, '--requests', '4']
    const told = await millrace([...args, '--json'], folder.path)
    expect(told.code, told.stderr).toBe(0)
    const audit = JSON.parse(told.stdout)
    expect(audit).toMatchObject({
      name: 'audited',
      connection: 'fresh',
      proxies: [
        { proxy: 'rotating', requests: 4, failures: {}, connectionsPerRequest: 1, exits: ['127.0.0.2', '127.0.0.3'] },
        { proxy: 'blocked', requests: 4, failures: {}, connectionsPerRequest: 1, exits: ['127.0.0.4'] },
        { proxy: 'denied', failures: { denied: 4 }, connectMs: null, connectionsPerRequest: null, exits: [] },
        { proxy: 'away', failures: { connect: 4 }, connectMs: null, exits: [] },
      ],
      hosts: [
        { region: 'de', answers: 1, blocked: 0, faults: 0 },
        { region: 'fr', answers: 1, blocked: 1, faults: 0 },
        { region: 'us', answers: 0, blocked: 0, faults: 2 },
      ],
    })
    const { stdout } = await millrace(args, folder.path)
    expect(stdout).toContain('audited: 4 ways out, fresh connections.')
    expect(stdout).toMatch(/^denied +us +4 +4 denied +- +- +- +0$/m)
    expect(stdout).toMatch(/^127\.0\.0\.1:\d+ +fr +1 +0 +100 %$/m)
    expect(stdout).toContain('3 exits seen in all: 127.0.0.2, 127.0.0.3, 127.0.0.4')
    for (const secret of ['wonderful', 'wrong']) expect(stdout + told.stdout + told.stderr).not.toContain(secret)
  })

  test('with pooled connections needs one for all', async () => {
    await using folder = await temporaryFolder()
    await using echo = await site()
    await using proxy = await startProxyChain('http', null)
    const proxies = { connection: 'pooled', list: `http://127.0.0.1:${proxy.port}` }
    const job = { name: 'pooled', seeds: [`${echo.url}/`], item: { title: 'h1' }, proxies }
    const file = await folder.write('job.json', JSON.stringify(job))
    const { stdout } = await millrace(['proxies', file, '--requests', '4', '--json'], folder.path)
    expect(JSON.parse(stdout).proxies).toMatchObject([{ connectionsPerRequest: 0.25, exits: null }])
  })

  test('that are all down says that none answered, and exits as where nothing could be read', async () => {
    await using folder = await temporaryFolder()
    const list = ['http://127.0.0.1:1', 'http://127.0.0.1:2']
    const job = { name: 'down', seeds: ['http://127.0.0.1:9/'], item: { title: 'h1' }, proxies: { list } }
    const file = await folder.write('job.json', JSON.stringify(job))
    const ended = await millrace(['proxies', file, '--echo', 'http://127.0.0.1:9/', '--requests', '1'], folder.path)
    expect(ended.code).toBe(3)
    expect(ended.stdout).toContain('\nNo exit was seen: no proxy brought an answer.\n')
    expect(ended.stdout).not.toContain('seen in all')
  })

  test('of a job that has none is told so', async () => {
    await using folder = await temporaryFolder()
    const file = await folder.write('job.json', JSON.stringify({ seeds: ['https://a.test/'], item: { title: 'h1' } }))
    const { code, stderr } = await millrace(['proxies', file], folder.path)
    expect(code).toBe(2)
    expect(stderr).toContain('this job has no proxies to audit')
  })
})
