import { describe, expect, test } from 'vitest'
import { isOfItsHost } from '../../src/fetch/trail.ts'
import { taskFor } from './kit.ts'

describe('what is meant for a host alone is sent', () => {
  for (const [isSent, when, url, hops] of [
    [true, 'without a redirect', 'http://a.test/', []],
    [true, 'after one on the same host', 'http://a.test/2', ['http://a.test/1']],
    [true, 'after one from http to https', 'https://a.test/2', ['http://a.test/1']],
    [true, 'after several on the way to https', 'https://a.test/3', ['http://a.test/1', 'https://a.test/2']],
    [true, 'on the first arrival from elsewhere', 'http://b.test/', ['http://a.test/']],
    [false, 'after one from https to http', 'http://a.test/2', ['https://a.test/1']],
    [false, 'when another host led back', 'http://a.test/2', ['http://a.test/1', 'http://b.test/']],
    [false, 'further on after that', 'http://a.test/3', ['http://a.test/1', 'http://b.test/', 'http://a.test/2']],
    [false, 'when another port led back', 'http://a.test/2', ['http://a.test/1', 'http://a.test:81/']],
    [
      false,
      'when another host led back, in a session',
      'http://a.test/2',
      ['s 1 http://a.test/1', 's 1 http://b.test/'],
    ],
  ] as const)
    test(`${isSent ? '' : 'never '}${when}`, () => {
      expect(isOfItsHost({ ...taskFor(url), hops })).toBe(isSent)
    })
})
