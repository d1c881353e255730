const unitBytes: Readonly<Record<string, number>> = {
  '': 1,
  b: 1,
  kb: 1e3,
  mb: 1e6,
  gb: 1e9,
  kib: 2 ** 10,
  mib: 2 ** 20,
  gib: 2 ** 30,
}

/** `10MB` is 10,000,000 and `10MiB` is 10,485,760; a bare number is bytes. Null when it is no size. */
export function byteSize(size: number | string): number | null {
  if (typeof size === 'number') return Number.isSafeInteger(size) && size > 0 ? size : null
  const [, digits, unit] = /^(\d+(?:\.\d+)?) ?([kmg]?i?b|)$/i.exec(size.trim()) ?? []
  if (digits === undefined || unit === undefined) return null
  const factor = unitBytes[unit.toLowerCase()]
  return factor === undefined ? null : byteSize(Math.round(Number(digits) * factor))
}
