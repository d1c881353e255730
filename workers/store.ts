import { parentPort, workerData } from 'node:worker_threads'
import { type StorePort, serveStore } from '../src/frontier/stores/serve-store.ts'
import type { StoreSetup } from '../src/frontier/stores/store-messages.ts'

/** The thread of a durable store: SQLite is synchronous, and a commit would hold the main thread. */
if (parentPort !== null) serveStore(parentPort as unknown as StorePort, workerData as StoreSetup)
