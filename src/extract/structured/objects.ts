import type { JsonObject, JsonValue } from '../../core/wire.ts'

const isObject = (value: JsonValue): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The objects among values; lists and, under `graphKey`, lists inside of objects are opened. */
export function* opened(values: readonly JsonValue[], graphKey: string | null): Generator<JsonObject> {
  const open = values.toReversed()
  while (open.length > 0) {
    const value = open.pop() ?? null
    if (Array.isArray(value)) for (let at = value.length - 1; at >= 0; at -= 1) open.push(value[at] ?? null)
    if (!isObject(value)) continue
    yield value
    if (graphKey !== null && Object.hasOwn(value, graphKey)) open.push(value[graphKey] ?? null)
  }
}

/**
 * All objects of values, however deep they stand: the outer ones before those inside of them, so that a page's own
 * product comes before one that another thing merely mentions. By levels, since values nest deeper than stacks.
 */
export function* objectsIn(values: readonly JsonValue[], graphKey: string | null): Generator<JsonObject> {
  let level: readonly JsonValue[] = values
  while (level.length > 0) {
    const inner: JsonValue[] = []
    for (const object of opened(level, graphKey)) {
      yield object
      for (const [key, value] of Object.entries(object))
        if (typeof value === 'object' && value !== null && key !== graphKey) inner.push(value)
    }
    level = inner
  }
}
