import { parentPort, workerData } from 'node:worker_threads'
import type { RecorderSetup } from '../src/replay/recorder-messages.ts'
import { type RecorderPort, serveRecorder } from '../src/replay/serve-recorder.ts'

/** The thread of a recorder: compressing pages would hold the main thread. */
if (parentPort !== null) serveRecorder(parentPort as unknown as RecorderPort, workerData as RecorderSetup)
