/** Which URLs belong to a job. */
export interface ScopeRules {
  /** `same-host` and `same-domain` compare with the hosts of the seeds. */
  readonly within: 'same-host' | 'same-domain' | 'any'
  /** Where given, a URL must fit one of these URL patterns. */
  readonly include: readonly string[]
  /** A URL that fits one of these is out. */
  readonly exclude: readonly string[]
  /** Links further than this from a seed are not followed; null: no end. */
  readonly maxDepth: number | null
}
