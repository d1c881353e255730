import type { Confirmed, Contents, Entry, Found, Question } from './store-messages.ts'

/** Where stored answers are; disposing writes what is still held. It never rejects: what is lost was never there. */
export interface AnswerStore extends AsyncDisposable {
  /** As they were when it was opened. */
  readonly contents: Contents
  find(question: Question): Promise<Found | null>
  /** Takes the body for its own. False where so much waits to be written already that this is left out. */
  keep(entry: Entry): boolean
  confirm(confirmed: Confirmed): void
  drop(key: string): void
}
