/** How long a server works on one request. */
export type LatencyLaw =
  | { readonly kind: 'constant'; readonly ms: number }
  | { readonly kind: 'exponential'; readonly meanMs: number }
  /** `sigma` of the logarithm: 0.5 is a calm server, 1.5 has a heavy tail. */
  | { readonly kind: 'lognormal'; readonly medianMs: number; readonly sigma: number }

/** Box and Muller (1958); 1 - random keeps the logarithm from zero. */
const normal = (random: () => number): number =>
  Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())

export function drawLatencyMs(law: LatencyLaw, random: () => number): number {
  switch (law.kind) {
    case 'constant':
      return law.ms
    case 'exponential':
      return -law.meanMs * Math.log(1 - random())
    case 'lognormal':
      return law.medianMs * Math.exp(law.sigma * normal(random))
    default:
      return law satisfies never
  }
}
