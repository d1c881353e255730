import { expect, test } from 'vitest'
import { reasonPhrase } from '../../src/core/reason-phrase.ts'

test.each([
  [200, 'OK'],
  [404, 'Not Found'],
  [418, "I'm a Teapot"],
  [299, ''],
])('%d is called "%s"', (status, phrase) => {
  expect(reasonPhrase(status)).toBe(phrase)
})
