import type { Runtime } from '@postern/server/gateway.ts'
import {
  createKey,
  describeKey,
  findKey,
  listKeys,
  revokeKey,
  rotateKey,
  type StoredKey,
} from '@postern/server/keys.ts'
import { formatInstant } from '@postern/server/tools.ts'
import { type Scope, type ScopePreset, scopePresets, scopes } from '@postern/server/words.ts'
import { accountOption, chooseAccount } from '../choose-account.ts'
import { type Flags, textOption } from '../command.ts'
import { dataCommand } from '../data-command.ts'
import { notFound, wrongUsage } from '../exit-codes.ts'
import { pairs, table } from '../output/table.ts'
import {
  choiceFlag,
  durationMs,
  futureInstant,
  listFlag,
  noWords,
  onlyWord,
  requiredFlag,
  scopesFlag,
  textFlag,
} from '../read-flags.ts'

export const keysCreate = dataCommand({
  name: 'keys create',
  summary: 'Create an API key. Its secret is shown once.',
  examples: [
    'postern keys create --name "Checkout service"',
    'postern keys create --name Reports --preset read_only --expires 90d --json',
    'postern keys create --name Shop --account "Acme Store" --scopes messages:send,templates:read --ips 203.0.113.0/24',
  ],
  options: {
    name: textOption('What the key is for.'),
    ...accountOption,
    scopes: textOption(`Comma-separated, of ${scopes.join(', ')}.`),
    preset: textOption(`Scopes by name: ${Object.keys(scopePresets).join(', ')}. Without either: full.`),
    expires: textOption('A date, or a duration such as 90d. Without it the key does not expire.'),
    ips: textOption('Allowed addresses or ranges, comma-separated. Without it: any.'),
    numbers: textOption(
      'Connected numbers that the key may send from, by id or phone number, comma-separated. Without it: all.',
    ),
  },
  args(flags, words) {
    noWords(words)
    return {
      name: requiredFlag(flags, 'name', '"Checkout service"'),
      account: textFlag(flags, 'account'),
      scopes: readScopes(flags),
      expires: textFlag(flags, 'expires'),
      ips: listFlag(flags, 'ips'),
      numbers: listFlag(flags, 'numbers'),
    }
  },
  async run(rt, args) {
    const account = await chooseAccount(rt, args.account)
    const { stored, secret } = await createKey(rt, {
      accountId: account.id,
      name: args.name,
      scopes: args.scopes,
      expiresAt: args.expires === null ? null : futureInstant(args.expires, 'expires', rt.clock.now()),
      allowedIps: args.ips,
      numbers: args.numbers,
    })
    return withSecret(rt, stored, secret)
  },
  text: (created) =>
    `${pairs([
      ['API key', created.api_key],
      ['API secret', created.api_secret],
    ])}The secret is not shown again: store it now.\n`,
})

export const keysList = dataCommand({
  name: 'keys list',
  summary: 'List the API keys of an account.',
  examples: ['postern keys list', 'postern keys list --account "Acme Store" --json'],
  options: accountOption,
  args(flags, words) {
    noWords(words)
    return { account: textFlag(flags, 'account') }
  },
  async run(rt, args) {
    const account = await chooseAccount(rt, args.account)
    return { account_id: account.id, keys: await listKeys(rt, account.id) }
  },
  text: ({ keys }) =>
    table(
      ['API key', 'name', 'status', 'last used', 'scopes'],
      keys.map((key) => [key.key, key.name, key.status, key.last_used_at ?? 'never', describeScopes(key.scopes)]),
    ),
})

export const keysRotate = dataCommand({
  name: 'keys rotate',
  summary: 'Create a new secret for an API key. The old one keeps working for 24 hours, or as long as --overlap says.',
  examples: ['postern keys rotate ptk_8Fq2…', 'postern keys rotate key_01jd40m1… --overlap 2h --json'],
  options: { overlap: textOption('How long the old secret keeps working, such as 30m, 24h or 7d. Default 24h.') },
  args: (flags, words) => ({
    key: onlyWord(words, 'the key by its id or public half'),
    overlapMs: durationMs(textFlag(flags, 'overlap') ?? '24h', 'overlap'),
  }),
  async run(rt, { key, overlapMs }) {
    const stored = await requireLivingKey(rt, key)
    const { secret, previousSecretUntil } = await rotateKey(rt, stored, { overlapMs })
    return { ...withSecret(rt, stored, secret), previous_secret_until: formatInstant(previousSecretUntil) }
  },
  text: (rotated) =>
    `${pairs([
      ['API key', rotated.api_key],
      ['API secret', rotated.api_secret],
    ])}The secret is not shown again: store it now. The old one works until ${rotated.previous_secret_until}.\n`,
})

export const keysRevoke = dataCommand({
  name: 'keys revoke',
  summary: 'Revoke an API key and all its tokens immediately.',
  examples: ['postern keys revoke ptk_8Fq2…', 'postern keys revoke key_01jd40m1… --yes --json'],
  args: (_flags, words) => ({ key: onlyWord(words, 'the key by its id or public half') }),
  confirm: ({ key }) => ({ warning: `The API key ${key} and all its tokens stop working permanently.`, word: key }),
  async run(rt, { key }) {
    return revokeKey(rt, await requireLivingKey(rt, key))
  },
  text: ({ key, name }) => `Revoked ${key} (${name}).\n`,
})

function readScopes(flags: Flags): readonly Scope[] {
  const given = scopesFlag(flags)
  const preset = choiceFlag(flags, 'preset', Object.keys(scopePresets) as ScopePreset[])
  if (given && preset) throw wrongUsage('Give --scopes or --preset, not both.')
  return given ?? scopePresets[preset ?? 'full']
}

async function requireLivingKey(rt: Runtime, id: string): Promise<StoredKey> {
  const stored = await findKey(rt, id)
  if (!stored) throw notFound(`There is no API key '${id}'; see 'postern keys list'.`)
  if (stored.status !== 'active') throw wrongUsage(`The API key ${stored.public_key} is already revoked.`)
  return stored
}

function withSecret(rt: Runtime, stored: StoredKey, secret: string) {
  const { key, ...rest } = describeKey(rt, stored)
  return { api_key: key, api_secret: secret, account_id: stored.account_id, ...rest }
}

function describeScopes(granted: readonly string[]): string {
  return granted.length === scopes.length ? 'all' : granted.join(' ')
}
