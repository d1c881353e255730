import { workerData } from 'node:worker_threads'
import { writeParquet } from '../src/sink/parquet-file.ts'
import type { Conversion } from '../src/sink/parquet-thread.ts'

/** A thread that makes one file of items into Parquet: it would hold the main thread for seconds. */

await writeParquet(workerData as Conversion)
