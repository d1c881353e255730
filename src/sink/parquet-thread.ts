import { Worker } from 'node:worker_threads'
import { MillraceError } from '../core/errors.ts'
import { ownModule } from '../core/own-module.ts'
import { threadOptions } from '../core/thread-options.ts'
import type { Column } from '../stage/columns.ts'

/** What the thread is given when it starts. */
export interface Conversion {
  /** Lines of JSON. */
  readonly source: string
  /** Written over. */
  readonly target: string
  readonly columns: readonly Column[]
}

/**
 * Makes a file of items into a Parquet file, in a thread of its own that ends with it.
 * @throws SINK_FAILED
 */
export function convertToParquet(conversion: Conversion): Promise<void> {
  const done = Promise.withResolvers<void>()
  const worker = new Worker(ownModule('workers/parquet'), { ...threadOptions(), workerData: conversion })
  const fail = (reason: string): void =>
    done.reject(new MillraceError('SINK_FAILED', `${conversion.source} could not be made into Parquet: ${reason}`))
  worker.on('error', error => fail(error.message))
  worker.on('exit', code => (code === 0 ? done.resolve() : fail(`its thread ended with ${code}`)))
  return done.promise
}
