import { describe, expect, test } from 'vitest'
import { MillraceError } from '../../src/core/errors.ts'
import { checkJob } from '../../src/job/check-job.ts'
import { readProxy } from '../../src/job/proxy-line.ts'
import { readProxyList } from '../../src/run/proxy-list.ts'

const none = { region: null, weight: 1 }
const addressOf = (text: string) => {
  const read = readProxy(text, none)
  return read.kind === 'proxy' ? read.spec.address : read.accepted
}
const at = (protocol: string, host: string, port: number, user?: string, password = '') => ({
  protocol,
  host,
  port,
  credentials: user === undefined ? null : { user, password },
})

describe('a proxy as it is written', () => {
  test.each([
    ['http://a.test:8000', at('http', 'a.test', 8000)],
    ['https://a.test', at('https', 'a.test', 443)],
    ['a.test:3128', at('http', 'a.test', 3128)],
    ['socks5://[::1]:9', at('socks5', '::1', 9)],
    ['socks://A.test', at('socks5h', 'a.test', 1080)],
    ['http://u%40x:p%3Ass@a.test:1/', at('http', 'a.test', 1, 'u@x', 'p:ss')],
    ['http://u:p@ss:w/rd@a.test:1', at('http', 'a.test', 1, 'u', 'p@ss:w/rd')],
    ['http://u:100%@a.test:1', at('http', 'a.test', 1, 'u', '100%')],
    ['http://key:@a.test:1', at('http', 'a.test', 1, 'key')],
    ['a.test:1:u:p', at('http', 'a.test', 1, 'u', 'p')],
    ['u-{geo}-{session}:p@a.test:1', at('http', 'a.test', 1, 'u-{geo}-{session}', 'p')],
  ])('%s', (text, address) => expect(addressOf(text)).toEqual(address))

  test.each([
    ['ftp://u:hush@a.test', /http, https, socks5/],
    ['http://u:hush@', /a proxy such as/],
    ['http://u:hush@a.test:70000', /a port/],
    ['http://u:hush@a.test', /a port/],
    ['a.test', /a port/],
    ['http://u%0D%0AX:hush@a.test:1', /without control characters/],
    ['http://u%3Ax:hush@a.test:1', /without a colon/],
    ['http://u-{country}:hush@a.test:1', /\{geo\} and \{session\}.*\{country\}/],
  ])('%s is refused, without the password', (text, accepted) => {
    expect(addressOf(text)).toMatch(accepted)
    expect(addressOf(text)).not.toContain('hush')
  })
})

const check = (proxies: object) =>
  checkJob({ seeds: ['http://a.test/'], item: { title: 'h1' }, proxies }, { path: 'job', baseDir: '/jobs' })
const messageOf = (proxies: object): string => {
  try {
    check(proxies)
  } catch (thrown) {
    return thrown instanceof MillraceError ? thrown.message : ''
  }
  return ''
}

describe('the proxies of a job', () => {
  test('no message and no JSON of a job has a credential in it', () => {
    for (const list of [
      ['ftp://me:hush@a.test'],
      [{ url: 'http://me:hush@a.test:99999' }],
      [{ urll: 'http://me:hush@a.test:1' }],
      [{ url: 'http://me:hush@a.test:1', from: 'x' }],
      { 'http://me:hush@a.test:1': 1 },
      [['http://me:hush@a.test:1']],
    ]) {
      const message = messageOf({ list })
      expect(message).toMatch(/^job: .*proxies/s)
      expect(message).not.toContain('hush')
    }
    expect(messageOf({ lst: ['http://me:hush@a.test:1'] })).not.toContain('hush')
    expect(messageOf({ list: 'http://me:hush@a.test:1', connection: 'http://me:hush@a.test:1' })).not.toContain('hush')
    const job = check({ list: ['http://me:hush@a.test:1', 'http://me:hush@a.test:2'] })
    expect(JSON.stringify(job)).not.toContain('hush')
    expect(JSON.stringify(job.proxies.list)).toContain('a.test:2')
  })

  test('are read from files, from the environment and from functions', async () => {
    const { proxies } = check({
      list: [
        { env: 'PROXIES', region: 'de' },
        { url: 'http://u:p@one.test:1', region: 'fr', weight: 2, label: 'one' },
      ],
    })
    const specs = await readProxyList(proxies.list, { PROXIES: 'two.test:2, three.test:3 region=us weight=0.5' })
    expect(specs.map(({ label, region, weight }) => [label, region, weight])).toEqual([
      ['two.test:2', 'de', 1],
      ['three.test:3', 'us', 0.5],
      ['one', 'fr', 2],
    ])
    const given = check({ list: async () => ['four.test:4', { url: 'five.test:5', region: 'it' }] })
    expect((await readProxyList(given.proxies.list, {})).map(({ label }) => label)).toEqual([
      'four.test:4',
      'five.test:5',
    ])
  })

  test.each([
    [{ list: { env: 'NONE' } }, 'the environment has no NONE'],
    [{ list: { from: 'none.txt' } }, '/jobs/none.txt cannot be read'],
    [{ list: () => [] }, 'there is no proxy in it'],
    [{ list: () => ['http://me:hush@:'] }, 'proxy 1 of the function: this is no proxy'],
    [{ list: { env: 'BAD' } }, 'environment BAD:1: this is no proxy'],
  ])('that cannot be read end the run before it begins (%#)', async (written, message) => {
    const read = readProxyList(check(written).proxies.list, { BAD: 'ftp://me:hush@a.test' })
    await expect(read).rejects.toThrow(message)
    await expect(read).rejects.not.toThrow('hush')
  })

  test('a list that stands in place of the map is told where it belongs, and no password of it is repeated', () => {
    for (const line of ['http://me:hush@gate.test:8000', 'gate.test:8000:me:hush', 'gate.test:8000:me:a"hush']) {
      const message = messageOf([line])
      expect(message).toMatch(/proxies: .* is not accepted; expected \{ list: \[\.\.\.\] \}/)
      expect(message).not.toContain('hush')
    }
  })

  test('block signs and places are checked', () => {
    expect(messageOf({ blockSigns: [{ selector: 'a[', name: 'x' }] })).toMatch(/proxies\.blockSigns\[0\]\.selector/)
    expect(messageOf({ blockSigns: [{ pattern: '(' }] })).toMatch(/proxies\.blockSigns\[0\]\.pattern/)
    expect(messageOf({ blockSigns: [{}] })).toMatch(/either `selector` or `pattern`/)
    expect(messageOf({ geo: { nopage: 'de' } })).toMatch(/no page rule is called "nopage"/)
    expect(messageOf({ rotation: 'weigthed' })).toMatch(/did you mean `weighted`/)
  })
})
