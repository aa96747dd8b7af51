/**
 * What an API key may do, in the words of the console. `messages:send` does not imply `messages:read`: a leaked sender key
 * reads no customer texts.
 */
export const scopeMeanings = {
  'messages:send': 'Send messages',
  'messages:read': 'Read messages',
  'templates:read': 'Read templates',
  'templates:write': 'Change templates',
  'media:write': 'Upload media',
  'media:read': 'Download media',
  'webhooks:read': 'Read webhooks',
  'webhooks:write': 'Change webhooks',
  'analytics:read': 'Read analytics',
  'profile:read': 'Read the business profile',
  'profile:write': 'Change the business profile',
  'blocked:read': 'See blocked customers',
  'blocked:write': 'Block and unblock customers',
} as const satisfies Record<string, string>

export type Scope = keyof typeof scopeMeanings
export const scopes = Object.keys(scopeMeanings) as [Scope, ...Scope[]]

export const scopePresets = {
  full: scopes,
  send_only: ['messages:send', 'media:write', 'templates:read'],
  read_only: [
    'messages:read',
    'templates:read',
    'media:read',
    'webhooks:read',
    'analytics:read',
    'profile:read',
    'blocked:read',
  ],
} as const satisfies Record<string, readonly Scope[]>

export type ScopePreset = keyof typeof scopePresets

/** Writing implies reading, except for messages and media: what customers wrote and sent is never implied. */
const implied: Partial<Record<Scope, Scope>> = {
  'templates:write': 'templates:read',
  'webhooks:write': 'webhooks:read',
  'profile:write': 'profile:read',
  'blocked:write': 'blocked:read',
}

export function allows(granted: readonly string[], wanted: Scope): boolean {
  return granted.some((scope) => scope === wanted || implied[scope as Scope] === wanted)
}
