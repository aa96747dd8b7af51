import type { Schemas } from '../../api.ts'
import { scopeMeanings, scopePresets } from '../../api-values.ts'

export type ApiKey = Schemas['ConsoleApiKey']
export type Scope = ApiKey['scopes'][number]

export const scopes = Object.keys(scopeMeanings) as Scope[]

export type Preset = 'full' | 'send_only' | 'read_only' | 'custom'

export const presets: readonly { value: Preset; label: string; hint: string; scopes: readonly Scope[] }[] = [
  { value: 'full', label: 'Full access', hint: 'Everything the API offers', scopes: scopePresets.full },
  {
    value: 'send_only',
    label: 'Send only',
    hint: 'Cannot read customer messages',
    scopes: scopePresets.send_only,
  },
  {
    value: 'read_only',
    label: 'Read only',
    hint: 'Reports and lookups, no sending',
    scopes: scopePresets.read_only,
  },
  { value: 'custom', label: 'Custom', hint: 'Choose individual scopes', scopes: [] },
]

export function presetOf(granted: readonly Scope[]): Preset {
  const same = (wanted: readonly Scope[]) =>
    wanted.length === granted.length && wanted.every((scope) => granted.includes(scope))
  return presets.find((preset) => preset.value !== 'custom' && same(preset.scopes))?.value ?? 'custom'
}

export function accessWords(granted: readonly Scope[]): string {
  const preset = presetOf(granted)
  if (preset === 'custom') return `${granted.length} of ${scopes.length} scopes`
  return presets.find(({ value }) => value === preset)?.label ?? ''
}

/** One address or range per line; commas and spaces are taken too. */
export function readAddresses(text: string): string[] | null {
  const found = text.split(/[\s,]+/).filter(Boolean)
  return found.length > 0 ? found : null
}

const unusedAfterMs = 30 * 86_400_000

/** A living key that nobody uses is a risk without a purpose. */
export function isUnused({ status, last_used_at: lastUsedAt, created_at: createdAt }: ApiKey, now: number): boolean {
  return status === 'active' && now - Date.parse(lastUsedAt ?? createdAt) > unusedAfterMs
}
