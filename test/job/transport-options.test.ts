import { describe, expect, test } from 'vitest'
import { checkJob } from '../../src/job/check-job.ts'

const minimal = { seeds: ['https://books.test/'], item: { title: 'h1' } }
const check = (changes: object) => checkJob({ ...minimal, ...changes }, { path: 'job.yaml', baseDir: '/jobs' })

describe('the user agent', () => {
  for (const [changes, userAgent] of [
    [{}, 'Millrace/0.1'],
    [{ contact: 'https://books.test/bot' }, 'Millrace/0.1 (+https://books.test/bot)'],
    [{ userAgent: 'Books/2', contact: 'mailto:bot@books.test' }, 'Books/2 (+mailto:bot@books.test)'],
    [{ userAgent: ' Books/2 ' }, 'Books/2'],
  ] as const)
    test(userAgent, () => expect(check(changes).userAgent).toBe(userAgent))

  for (const contact of ['books.test', 'ftp://books.test/', 'https://books.test/(a)', 'x\r\ny'])
    test(`has no contact ${JSON.stringify(contact)}`, () => expect(() => check({ contact })).toThrow(/contact: /))
})

describe('secrets of a job', () => {
  const secrets = { Authorization: 'Bearer x', 'X-Api-Key': 'y', 'Accept-Language': 'de' }

  test('go to the hosts of its seeds, beside what is said of these hosts', () => {
    const job = check({
      seeds: ['https://books.test/', 'http://shop.test:81/'],
      headers: secrets,
      hosts: { 'shop.test': { max: 1, headers: { 'x-api-key': 'own' } } },
    })
    expect(job.headers).toEqual({ 'accept-language': 'de' })
    expect(job.hosts['books.test']?.headers).toEqual({ authorization: 'Bearer x', 'x-api-key': 'y' })
    expect(job.hosts['shop.test:81']).toMatchObject({
      headers: { authorization: 'Bearer x', 'x-api-key': 'own' },
      perHost: { max: 1 },
    })
    expect(job.hosts['shop.test']?.headers).toEqual({ 'x-api-key': 'own' })
  })

  test('cannot go to seeds of a file, whose hosts are not known', () => {
    expect(() => check({ seeds: [{ from: 'urls.txt' }], headers: secrets })).toThrow(
      /headers\.authorization: .*under `hosts`/,
    )
  })

  for (const name of ['cookie', 'authorization', 'x-auth-token', 'private-token', 'X-Secret', 'apikey'])
    test(`such as ${name} are not for a page rule`, () => {
      const page = { name: 'all', item: { title: 'h1' }, headers: { [name]: 'x' } }
      expect(() => check({ item: undefined, pages: [page] })).toThrow(/pages\[0\]\.headers.*looks like a secret/)
    })

  for (const name of ['accept', 'x-requested-with', 'author', 'x-monkey', 'keywords'])
    test(`do not include ${name}`, () => expect(check({ headers: { [name]: 'x' } }).headers).toEqual({ [name]: 'x' }))
})

describe('the transport', () => {
  test('takes types, redirects, cookies, certificates and headers of pages', () => {
    const job = check({
      item: undefined,
      pages: [{ name: 'api', item: { title: 'h1' }, headers: { Accept: 'application/json' } }],
      contentTypes: { accept: ['Text/HTML', 'image/*'] },
      redirects: { metaRefresh: true },
      cookies: true,
      tls: { ca: 'company.pem' },
      hosts: { 'wiki.intern': { allowPrivate: true } },
    })
    expect(job).toMatchObject({
      pageHeaders: { api: { accept: 'application/json' } },
      contentTypes: { accept: ['text/html', 'image/*'], refuse: [] },
      redirects: { max: 10, metaRefresh: true },
      cookies: true,
      tls: { ca: ['/jobs/company.pem'] },
      hosts: { 'wiki.intern': { allowPrivate: true } },
    })
  })

  for (const [changes, told] of [
    [{ contentTypes: { accept: ['html'] } }, 'contentTypes.accept[0]: "html"'],
    [{ contentTypes: { refuse: ['text/html; charset=x'] } }, 'contentTypes.refuse[0]: '],
    [{ redirects: { max: -1 } }, 'redirects.max: -1'],
    [{ cookies: 'yes' }, 'cookies: "yes"'],
    [{ tls: { ca: 5 } }, 'tls.ca: 5'],
    [{ headers: { 'X-A': 'a\r\nb' } }, 'headers.X-A: the value is not accepted'],
    [{ headers: { 'X-A': 'a\0b' } }, 'headers.X-A: the value is not accepted'],
    [{ hosts: { 'a.test': { allowPrivate: 1 } } }, 'hosts["a.test"].allowPrivate: 1'],
  ] as const)
    test(`refuses ${JSON.stringify(changes)}`, () =>
      expect(() => check(changes)).toThrow(expect.objectContaining({ message: expect.stringContaining(told) })))
})
