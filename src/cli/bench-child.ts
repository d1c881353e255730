import type { Question } from '../bench/question.ts'
import { nodeOptions } from '../core/node-options.ts'
import { delayOptimiser } from '../run/optimiser.ts'
import { keepCompiledCode } from './compile-cache.ts'

/** A process of `millrace bench`: it serves pages, or runs one row of the sweep, and ends with the one that started it. */
delayOptimiser(nodeOptions())
keepCompiledCode()

const { createAnswerer } = await import('../bench/answer.ts')
const answer = createAnswerer()

process.on('message', (question: Question) => void answer(question).then(reply => process.send?.(reply)))
// Ctrl-C reaches every process of a terminal: what it means is for the first one to say.
process.on('SIGINT', () => {})
process.on('disconnect', () => process.exit())
