import { fillTemplate, hasPlaceholder } from '../core/proxy-template.ts'
import type { ConnectionPolicy, ProxyAddress, Route } from '../core/route.ts'
import type { Exit } from './exit.ts'
import { type Identity, newToken } from './sessions.ts'

function filled({ credentials, ...address }: ProxyAddress, geo: string | null, session: string): ProxyAddress {
  if (credentials === null) return { ...address, credentials }
  const values = { geo, session }
  const { user, password } = credentials
  return {
    ...address,
    credentials: { user: fillTemplate(user, values), password: fillTemplate(password, values) },
  }
}

const hasSession = ({ credentials }: ProxyAddress): boolean =>
  credentials !== null && hasPlaceholder(`${credentials.user} ${credentials.password}`, 'session')

/**
 * Makes the routes of leases. A task with a session is told to the gateway by the token of its identity; others by a
 * new token each time where connections are fresh, and else by one that they share, so that a kept connection leads to
 * the exit it led to before.
 */
export function createRouter(
  connection: ConnectionPolicy,
  random: () => number,
): (exit: Exit, identity: Identity | null) => Route {
  const shared = new WeakMap<Exit, string>()

  function tokenFor(exit: Exit): string {
    if (connection === 'fresh') return newToken(random)
    const token = shared.get(exit) ?? newToken(random)
    shared.set(exit, token)
    return token
  }

  return (exit, identity) => {
    const { address } = exit.spec
    const token = hasSession(address) ? (identity?.token ?? tokenFor(exit)) : ''
    return {
      proxy: filled(address, exit.geo, token),
      connection,
      sessionKey: identity?.key ?? null,
      region: exit.region,
      label: exit.label,
    }
  }
}
