import { lateLibrary } from '../../core/late-library.ts'

/** Node's own, which is among the slowest of its modules to load: only a job that speaks HTTP/2 pays for it. */
export const http2 = lateLibrary<typeof import('node:http2')>('node:http2')
