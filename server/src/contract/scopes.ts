/** What an API key may do. `messages:send` does not imply `messages:read`: a leaked sender key reads no customer texts. */
export const scopes = [
  'messages:send',
  'messages:read',
  'templates:read',
  'templates:write',
  'media:write',
  'media:read',
  'webhooks:read',
  'webhooks:write',
  'analytics:read',
] as const

export type Scope = (typeof scopes)[number]

export const scopePresets = {
  full: scopes,
  send_only: ['messages:send', 'media:write', 'templates:read'],
  read_only: ['messages:read', 'templates:read', 'media:read', 'webhooks:read', 'analytics:read'],
} as const satisfies Record<string, readonly Scope[]>

export type ScopePreset = keyof typeof scopePresets

/** Writing implies reading for templates and webhooks; nothing else implies anything. */
const implied: Partial<Record<Scope, Scope>> = {
  'templates:write': 'templates:read',
  'webhooks:write': 'webhooks:read',
}

export function allows(granted: readonly string[], wanted: Scope): boolean {
  return granted.some((scope) => scope === wanted || implied[scope as Scope] === wanted)
}
