/** What gateways let a user name carry: where the exit shall be, and which identity asks. */
export interface TemplateValues {
  readonly geo: string | null
  readonly session: string
}

const known = ['geo', 'session']
const placeholders = /\{([^{}]*)\}/g

/** Names between braces that stand for nothing known. */
export const unknownPlaceholders = (template: string): readonly string[] =>
  [...template.matchAll(placeholders)].map(([, name = '']) => name).filter(name => !known.includes(name))

export const hasPlaceholder = (template: string, name: 'geo' | 'session'): boolean => template.includes(`{${name}}`)

/** `user-country-{geo}-session-{session}` with its gaps filled. */
export const fillTemplate = (template: string, { geo, session }: TemplateValues): string =>
  template.replace(placeholders, (gap, name: string) => {
    if (name === 'session') return session
    return name === 'geo' ? (geo ?? '') : gap
  })
