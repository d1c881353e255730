import { hasPlaceholder } from '../core/proxy-template.ts'
import type { ProxySpec } from '../core/route.ts'
import { type Exit, newExit } from './exit.ts'

/** The ways out that the list of proxies makes. */
export interface Exits {
  /** Those that a task may take that wants to come out at `geo`; null: anywhere. The same list until the list changes. */
  forGeo(geo: string | null): readonly Exit[]
  /** All that there are so far: a gateway has one for each place that was asked for. */
  readonly all: readonly Exit[]
  /** The list has nothing in it, for now. */
  readonly isEmpty: boolean
  /** A gateway is in the list that makes an exit for whatever place it is asked for. */
  readonly areOpen: boolean
  /** @returns the labels, made unique */
  add(specs: readonly ProxySpec[]): readonly string[]
  /** By label; false: there is none of that name. */
  remove(label: string): boolean
}

const templates = ({ address: { credentials } }: ProxySpec): string =>
  credentials === null ? '' : `${credentials.user} ${credentials.password}`

/** Wherever it is asked to be. */
const isAnywhere = (spec: ProxySpec): boolean => spec.region === null && hasPlaceholder(templates(spec), 'geo')

/** @param regions where gateways let those come out that do not say where */
export function createExits(regions: readonly string[]): Exits {
  const specs = new Map<string, ProxySpec>()
  /** By spec and geo. */
  const exits = new Map<string, Exit>()
  let lists = new Map<string | null, readonly Exit[]>()
  let all: readonly Exit[] = []

  function exitOf(spec: ProxySpec, geo: string | null): Exit {
    const key = `${spec.label} ${geo ?? ''}`
    const known = exits.get(key)
    if (known !== undefined) return known
    const isOneOfMany = isAnywhere(spec)
    const label = isOneOfMany && geo !== null ? `${spec.label} ${geo}` : spec.label
    const exit = newExit(spec, geo, spec.region ?? geo ?? spec.label, label)
    exits.set(key, exit)
    all = [...exits.values()]
    return exit
  }

  function exitsOf(spec: ProxySpec, geo: string | null): readonly Exit[] {
    if (isAnywhere(spec)) return (geo === null ? regions : [geo]).map(place => exitOf(spec, place))
    return geo === null || spec.region?.toLowerCase() === geo.toLowerCase() ? [exitOf(spec, spec.region)] : []
  }

  function uniqueLabel(label: string): string {
    for (let n = 2; ; n += 1) {
      const candidate = n === 2 && !specs.has(label) ? label : `${label}#${n}`
      if (!specs.has(candidate)) return candidate
    }
  }

  function changed(): void {
    lists = new Map()
    all = [...exits.values()]
    for (const spec of specs.values()) exitsOf(spec, null)
  }

  return {
    forGeo(geo) {
      const known = lists.get(geo)
      if (known !== undefined) return known
      const list = [...specs.values()].flatMap(spec => exitsOf(spec, geo))
      lists.set(geo, list)
      return list
    },
    get all() {
      return all
    },
    get isEmpty() {
      return specs.size === 0
    },
    get areOpen() {
      return regions.length === 0 && [...specs.values()].some(isAnywhere)
    },
    add(added) {
      const labels = added.map(spec => {
        const label = uniqueLabel(spec.label)
        specs.set(label, { ...spec, label })
        return label
      })
      changed()
      return labels
    },
    remove(label) {
      if (!specs.delete(label)) return false
      for (const [key, exit] of exits)
        if (exit.spec.label === label) {
          exit.isRemoved = true
          exits.delete(key)
        }
      changed()
      return true
    },
  }
}
