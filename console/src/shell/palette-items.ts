import type { IconName } from '../components/icon.tsx'
import { addressOf, allowedPages } from '../pages.ts'
import { setPreference } from '../preferences.ts'
import type { Action } from '../session.ts'
import { signOut } from './sign-out.ts'

export type PaletteItem = { id: string; title: string; kind: string; icon: IconName; run: () => void }
type World = { actions: readonly Action[]; go: (to: string) => void; help: () => void }

/** Ids explain themselves by their prefix; each leads to the page that shows it. */
const idPages: readonly { prefix: string; title: string; action: Action; to: (id: string) => string }[] = [
  { prefix: 'req_', title: 'Open API request', action: 'logs:read', to: (id) => `/logs?search=${id}` },
  { prefix: 'whk_', title: 'Open webhook', action: 'webhooks:read', to: (id) => `/webhooks/${id}` },
  { prefix: 'tpl_', title: 'Open template', action: 'templates:read', to: (id) => `/templates/${id}` },
  ...['out_', 'in_', 'wamid.'].map((prefix) => ({
    prefix,
    title: 'Open message',
    action: 'messages:read' as const,
    to: (id: string) => `/messages/${encodeURIComponent(id)}`,
  })),
  {
    prefix: '+',
    title: 'Messages of',
    action: 'messages:read',
    to: (id) => `/messages?search=${encodeURIComponent(id)}`,
  },
  { prefix: 'key_', title: 'Requests of API key', action: 'logs:read', to: (id) => `/logs?key_id=${id}` },
]

/** What matches the text: an id first, then pages, then actions. */
export function paletteItems(text: string, { actions, go, help }: World): PaletteItem[] {
  const wanted = text.trim().toLowerCase()
  const ids = idPages.filter(({ prefix, action }) => wanted.startsWith(prefix) && actions.includes(action))
  const all: PaletteItem[] = [
    ...allowedPages(actions).map((page) => ({
      id: `page-${page.title.replace(/\W+/g, '-')}`,
      title: page.title,
      kind: 'Page',
      icon: page.icon,
      run: () => go(addressOf(page)),
    })),
    ...(actions.includes('keys:write') ? [action('Create New API Key', 'plus', () => go('/api-keys?create'))] : []),
    ...(actions.includes('members:write') ? [action('Invite a member', 'people', () => go('/settings/members'))] : []),
    action('Light theme', 'sun', () => setPreference('theme', 'light')),
    action('Dark theme', 'moon', () => setPreference('theme', 'dark')),
    action('Theme as the system', 'monitor', () => setPreference('theme', 'system')),
    action('Keyboard shortcuts', 'help', help),
    action('API reference', 'book', () => window.location.assign('/docs/api')),
    action('Errors', 'book', () => window.location.assign('/docs/errors')),
    action('Sign out', 'out', () => void signOut()),
  ]
  const words = wanted.split(/\s+/)
  return [
    ...ids.map(({ title, to }) => action(`${title} ${text.trim()}`, 'search', () => go(to(text.trim())))),
    ...all.filter(({ title }) => words.every((word) => title.toLowerCase().includes(word))),
  ]
}

function action(title: string, icon: IconName, run: () => void): PaletteItem {
  return { id: `action-${title.replace(/\W+/g, '-')}`, title, kind: 'Action', icon, run }
}
