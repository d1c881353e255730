import { realClock } from '../core/clock.ts'
import { messageOf } from '../core/errors.ts'
import { attemptRecords } from '../warc/attempt.ts'
import { infoRecord } from '../warc/record.ts'
import { openRecordFile } from './record-file.ts'
import { heldBytesOf, type RecorderReply, type RecorderRequest, type RecorderSetup } from './recorder-messages.ts'

export interface RecorderPort {
  on(event: 'message', receive: (request: RecorderRequest) => void): unknown
  postMessage(reply: RecorderReply): void
  close(): void
}

/** The thread of a recorder: it makes records, compresses and writes them, one after the other. */
export function serveRecorder(port: RecorderPort, { path, goesOn, userAgent, software }: RecorderSetup): void {
  let isOver = false
  function orFail(work: () => void): void {
    if (isOver) return
    try {
      work()
    } catch (thrown) {
      isOver = true
      port.postMessage({ kind: 'failed', message: messageOf(thrown) })
    }
  }
  orFail(() => {
    const file = openRecordFile(path, goesOn, infoRecord(software, realClock.wallIso(), true))
    port.on('message', request => {
      if (request.kind === 'close') {
        orFail(file.close)
        return port.close()
      }
      const { attempt, body } = request
      const heldBytes = heldBytesOf(body)
      orFail(() => {
        file.write(attemptRecords(attempt, body, userAgent))
        port.postMessage({ kind: 'written', heldBytes })
      })
    })
    port.postMessage({ kind: 'opened' })
  })
}
