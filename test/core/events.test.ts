import { expect, test } from 'vitest'
import { createEvents, listen } from '../../src/core/events.ts'

test('a payload is built only if somebody listens', () => {
  const events = createEvents('r1')
  let built = 0
  const make = () => ({ code: 'PARSE_TIMEOUT' as const, nth: ++built })
  events.emit('parse.restarted', make)
  expect(built).toBe(0)
  using _ = listen('r1', { 'parse.restarted': () => {} })
  events.emit('parse.restarted', make)
  expect(built).toBe(1)
})

test('two runs in one process do not hear each other, and a listener can be taken off', () => {
  const heard: string[] = []
  const [one, two] = [createEvents('one'), createEvents('two')]
  const listener = listen('one', { 'run.started': ({ name }) => heard.push(name) })
  one.emit('run.started', () => ({ name: 'a', atMs: 0 }))
  two.emit('run.started', () => ({ name: 'b', atMs: 0 }))
  listener[Symbol.dispose]()
  one.emit('run.started', () => ({ name: 'c', atMs: 0 }))
  expect(heard).toEqual(['a'])
})
