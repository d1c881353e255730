/**
 * A job as written, with more hosts whose robots file it ignores: what `--ignore-robots` says. They are checked with the
 * job, as its own are; what is no such list stays as it is, for the check to name it.
 */
export function withIgnoredRobots(input: unknown, hosts: readonly string[]): unknown {
  if (hosts.length === 0 || typeof input !== 'object' || input === null) return input
  const { robots = 'obey' } = input as { readonly robots?: unknown }
  if (robots === 'obey') return { ...input, robots: { ignoreFor: hosts } }
  if (typeof robots !== 'object' || robots === null) return input
  const { ignoreFor } = robots as { readonly ignoreFor?: unknown }
  return Array.isArray(ignoreFor) ? { ...input, robots: { ...robots, ignoreFor: [...ignoreFor, ...hosts] } } : input
}
