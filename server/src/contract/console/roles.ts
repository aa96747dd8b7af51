/** The permissions of a person in the console. API keys have scopes instead. */
export const actions = [
  'account:write',
  'analytics:read',
  'audit:read',
  'blocked:read',
  'blocked:write',
  'broadcasts:read',
  'broadcasts:write',
  'budgets:write',
  'channel:read',
  'channel:write',
  'connections:read',
  'connections:write',
  'conversations:read',
  'conversations:write',
  'costs:read',
  'customers:erase',
  'customers:read',
  'customers:write',
  'installation:operate',
  'keys:read',
  'keys:write',
  'logs:read',
  'media:write',
  'members:read',
  'members:write',
  'messages:read',
  'messages:send',
  'pii:read',
  'profile:read',
  'profile:write',
  'rates:write',
  'sandbox:use',
  'templates:read',
  'templates:write',
  'usage:read',
  'webhooks:read',
  'webhooks:write',
] as const

export type Action = (typeof actions)[number]

export const roles = ['owner', 'admin', 'developer', 'support', 'viewer'] as const
export type Role = (typeof roles)[number]

/** Of persons whom the operator of the gateway named, whatever their role in an account is. */
export const operatorAction = 'installation:operate'

const ownerOnly: readonly Action[] = ['account:write', 'members:write']

/** Everyone signed in may see and change what is theirs: name, password, sessions. That needs no row here. */
export const allowedActions: Readonly<Record<Role, readonly Action[]>> = {
  owner: actions.filter((action) => action !== operatorAction),
  admin: actions.filter((action) => action !== operatorAction && !ownerOnly.includes(action)),
  developer: [
    'analytics:read',
    'broadcasts:read',
    'channel:read',
    'conversations:read',
    'costs:read',
    'customers:read',
    'keys:read',
    'keys:write',
    'logs:read',
    'media:write',
    'messages:read',
    'messages:send',
    'profile:read',
    'sandbox:use',
    'templates:read',
    'templates:write',
    'usage:read',
    'webhooks:read',
    'webhooks:write',
  ],
  support: [
    'analytics:read',
    'blocked:read',
    'blocked:write',
    'broadcasts:read',
    'conversations:read',
    'conversations:write',
    'customers:read',
    'customers:write',
    'media:write',
    'messages:read',
    'messages:send',
    'pii:read',
    'templates:read',
  ],
  viewer: ['analytics:read'],
}

export function mayDo(role: Role, action: Action): boolean {
  return allowedActions[role].includes(action)
}

/** For "Your role Viewer cannot …". */
export const actionSentences: Readonly<Record<Action, string>> = {
  'account:write': 'change the account',
  'analytics:read': 'see analytics',
  'audit:read': 'see the audit log',
  'blocked:read': 'see blocked customers',
  'blocked:write': 'block and unblock customers',
  'broadcasts:read': 'see broadcasts',
  'broadcasts:write': 'prepare and control broadcasts',
  'budgets:write': 'set budgets',
  'channel:read': 'see the channel',
  'channel:write': 'change the channel',
  'connections:read': 'see connections',
  'connections:write': 'manage connections',
  'conversations:read': 'see the inbox',
  'conversations:write': 'assign, close and pass on conversations',
  'costs:read': 'see costs',
  'customers:erase': 'erase customers',
  'customers:read': 'see customers',
  'customers:write': 'record what customers allow',
  'installation:operate': 'operate the installation',
  'keys:read': 'see API keys',
  'keys:write': 'manage API keys',
  'logs:read': 'see API requests',
  'media:write': 'upload files',
  'members:read': 'see members',
  'members:write': 'manage members',
  'messages:read': 'see messages',
  'messages:send': 'send messages',
  'pii:read': 'see phone numbers and message contents',
  'profile:read': 'see the business profile',
  'profile:write': 'change the business profile',
  'rates:write': 'import rate cards',
  'sandbox:use': 'use the sandbox',
  'templates:read': 'see templates',
  'templates:write': 'change templates',
  'usage:read': 'see plan and usage',
  'webhooks:read': 'see webhooks',
  'webhooks:write': 'manage webhooks',
}
