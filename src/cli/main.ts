#!/usr/bin/env node

const neededMajor = 24

/** Nothing else is imported before this: on an older Node the libraries fail to load, with a message that helps nobody. */
if (Number(process.versions.node.split('.')[0]) < neededMajor) {
  process.stderr.write(`Millrace needs Node ${neededMajor} or newer; this is Node ${process.versions.node}.\n`)
  process.exit(2)
}

const { nodeOptions } = await import('../core/node-options.ts')
const { delayOptimiser } = await import('../run/optimiser.ts')
const { keepCompiledCode } = await import('./compile-cache.ts')
delayOptimiser(nodeOptions())
keepCompiledCode()

const { runProgram } = await import('./program.ts')
process.exitCode = await runProgram()

export {}
