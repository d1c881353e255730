import { type ChildProcess, fork } from 'node:child_process'
import { MillraceError } from '../core/errors.ts'
import { ownModule } from '../core/own-module.ts'
import type { Question, Reply } from './question.ts'

/** A process of our own that answers one question after the other; it ends with the one that started it. */
export interface BenchProcess extends AsyncDisposable {
  /** @throws what went wrong over there */
  ask<Answer>(question: Question): Promise<Answer>
}

const nextReply = (child: ChildProcess): Promise<Reply> =>
  new Promise((resolve, reject) => {
    const gone = (): void => reject(new MillraceError('INVARIANT', 'a process of the bench ended before its answer'))
    child.once('message', (reply: Reply) => {
      child.off('exit', gone)
      resolve(reply)
    })
    child.once('exit', gone)
  })

export function startBenchProcess(): BenchProcess {
  // Whatever this process was started with (a debugger's port, a test runner's loader) is not for the other one.
  const child = fork(ownModule('src/cli/bench-child'), [], {
    execArgv: [],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  return {
    async ask<Answer>(question: Question) {
      const reply = nextReply(child)
      child.send(question)
      const read = await reply
      if ('fault' in read) throw new MillraceError(read.fault.code, read.fault.message)
      return read.answer as Answer
    },
    async [Symbol.asyncDispose]() {
      if (child.exitCode !== null || child.signalCode !== null) return
      const ended = new Promise(resolve => child.once('exit', resolve))
      child.kill()
      await ended
    },
  }
}
