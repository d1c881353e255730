/** A page that lies in a file, a line or a pipe. */
export interface Input {
  readonly url: string
  readonly finalUrl: string
  /** Name of the page rule; null: the first that fits the URL. */
  readonly page: string | null
  readonly body: Uint8Array<ArrayBuffer>
  readonly contentType: string
  readonly contentCoding: string
  readonly depth: number
  /** When it came, where that is known. ISO wall time. */
  readonly at?: string
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
}

/** What no page can be made of, and where it stands. */
export interface BadInput {
  readonly place: string
  readonly reason: string
}
