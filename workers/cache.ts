import { parentPort, workerData } from 'node:worker_threads'
import { type CachePort, serveCache } from '../src/cache/serve-cache.ts'
import type { CacheSetup } from '../src/cache/store-messages.ts'

/** The thread of a cache: SQLite is synchronous, and would hold the main thread. */
if (parentPort !== null) serveCache(parentPort as unknown as CachePort, workerData as CacheSetup)
