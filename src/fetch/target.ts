/** Where a connection leads. */
export interface Target {
  readonly isSecure: boolean
  /** A name, or an address without brackets. */
  readonly host: string
  readonly port: number
  /** HTTP/2 is not wanted there. */
  readonly onlyHttp1?: boolean
}
