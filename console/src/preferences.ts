import { useSyncExternalStore } from 'react'

/** What this browser remembers. public/theme.js reads the same entry before the first paint. */
export type Preferences = {
  theme: 'system' | 'light' | 'dark'
  utc: boolean
  /** Single keys act only while this is on (WCAG 2.1.4). */
  shortcuts: boolean
  folded: boolean
  /** The steps of the first run on Home. */
  setupFolded: boolean
  /** A notification and a sound when a customer writes, in this browser. */
  notify: boolean
  sound: boolean
  codeLanguage: string
  /** API keys whose secret was saved here, oldest first. Samples use them; the secrets are not kept. */
  savedKeys: readonly string[]
  /** Templates sent by hand, the last one first. */
  sentTemplates: readonly string[]
}

const entry = 'postern.preferences'
const defaults: Preferences = {
  theme: 'system',
  utc: false,
  shortcuts: true,
  folded: false,
  setupFolded: false,
  notify: false,
  sound: false,
  codeLanguage: 'curl',
  savedKeys: [],
  sentTemplates: [],
}
const listeners = new Set<() => void>()
let current: Preferences = { ...defaults, ...read() }

export function usePreferences(): Preferences {
  return useSyncExternalStore(subscribe, () => current)
}

export function preferences(): Preferences {
  return current
}

const savedKeysMax = 20

export function noteSavedKey(key: string): void {
  setPreference('savedKeys', [...current.savedKeys.filter((one) => one !== key), key].slice(-savedKeysMax))
}

const sentTemplatesMax = 10

export function noteSentTemplate(id: string): void {
  const others = current.sentTemplates.filter((one) => one !== id)
  setPreference('sentTemplates', [id, ...others].slice(0, sentTemplatesMax))
}

export function setPreference<K extends keyof Preferences>(name: K, value: Preferences[K]): void {
  current = { ...current, [name]: value }
  try {
    localStorage.setItem(entry, JSON.stringify(current))
  } catch {
    // Storage is blocked: the choice lasts as long as the page.
  }
  if (name === 'theme') applyTheme(current.theme)
  for (const listener of listeners) listener()
}

function applyTheme(theme: Preferences['theme']): void {
  const { dataset } = document.documentElement
  if (theme === 'system') delete dataset.theme
  else dataset.theme = theme
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function read(): Partial<Preferences> {
  try {
    return JSON.parse(localStorage.getItem(entry) ?? '{}') as Partial<Preferences>
  } catch {
    return {}
  }
}
