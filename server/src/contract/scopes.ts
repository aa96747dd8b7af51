/**
 * The scopes of an API key, as described in the console, and whether they show customers. `messages:send` does not imply
 * `messages:read`: a leaked sender key reads no customer texts.
 */
const scopeTable = {
  'messages:send': { means: 'Send messages', personal: false },
  'messages:read': { means: 'Read messages', personal: true },
  'templates:read': { means: 'Read templates', personal: false },
  'templates:write': { means: 'Change templates', personal: false },
  'media:write': { means: 'Upload media', personal: false },
  'media:read': { means: 'Download media', personal: true },
  'webhooks:read': { means: 'Read webhooks', personal: false },
  'webhooks:write': { means: 'Change webhooks', personal: false },
  'analytics:read': { means: 'Read analytics', personal: false },
  'costs:read': { means: 'See what messages cost', personal: false },
  'budgets:write': { means: 'Limit what messages may cost', personal: false },
  'profile:read': { means: 'Read the business profile', personal: false },
  'profile:write': { means: 'Change the business profile', personal: false },
  'broadcasts:read': { means: 'Read broadcasts', personal: false },
  'broadcasts:write': { means: 'Prepare and control broadcasts', personal: false },
  'conversations:read': { means: 'See the inbox and who handles a conversation', personal: true },
  'conversations:write': { means: 'Assign, close and pass on conversations', personal: true },
  'blocked:read': { means: 'See blocked customers', personal: true },
  'blocked:write': { means: 'Block and unblock customers', personal: true },
  'customers:read': { means: 'See customers', personal: true },
  'customers:write': { means: 'Record what customers allow', personal: true },
  'graph:pass': { means: "Make other calls to Meta's API", personal: true },
} as const satisfies Record<string, { means: string; personal: boolean }>

export type Scope = keyof typeof scopeTable
export const scopes = Object.keys(scopeTable) as [Scope, ...Scope[]]
export const scopeMeanings = Object.fromEntries(scopes.map((scope) => [scope, scopeTable[scope].means])) as Readonly<
  Record<Scope, string>
>

/** Only a person who sees customers hands it out. */
export function isPersonal(scope: Scope): boolean {
  return scopeTable[scope].personal
}

export const scopePresets = {
  // What is passed on unread is given on purpose alone.
  full: scopes.filter((scope) => scope !== 'graph:pass'),
  send_only: ['messages:send', 'media:write', 'templates:read'],
  read_only: [
    'messages:read',
    'templates:read',
    'media:read',
    'webhooks:read',
    'analytics:read',
    'costs:read',
    'profile:read',
    'blocked:read',
    'broadcasts:read',
    'conversations:read',
    'customers:read',
  ],
} as const satisfies Record<string, readonly Scope[]>

export type ScopePreset = keyof typeof scopePresets

/** Writing implies reading, except for messages and media: what customers wrote and sent is never implied. */
const implied: Partial<Record<Scope, Scope>> = {
  'templates:write': 'templates:read',
  'webhooks:write': 'webhooks:read',
  'budgets:write': 'costs:read',
  'profile:write': 'profile:read',
  'blocked:write': 'blocked:read',
  'broadcasts:write': 'broadcasts:read',
  'conversations:write': 'conversations:read',
  'customers:write': 'customers:read',
}

export function allows(granted: readonly string[], wanted: Scope): boolean {
  return granted.some((scope) => scope === wanted || implied[scope as Scope] === wanted)
}
