import type { Schemas } from '../api.ts'
import type { IconName } from '../components/icon.tsx'
import { shortUrl } from '../components/short-url.ts'
import { addressOf, allowedPages } from '../pages.ts'
import { setPreference } from '../preferences.ts'
import type { Action } from '../session.ts'

type Found = Schemas['ConsoleFoundDeliveries']
export type PaletteItem = { id: string; title: string; kind: string; icon: IconName; run: () => void }
type World = { actions: readonly Action[]; go: (to: string) => void; help: () => void; signOut: () => void }

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
  { prefix: 'usr_', title: 'Find among the members', action: 'members:read', to: () => '/settings/members' },
]

/** What can be begun from anywhere. */
const beginnings: readonly { title: string; icon: IconName; action: Action; to: string }[] = [
  { title: 'Send a test message', icon: 'message', action: 'messages:send', to: '/?send' },
  { title: 'Create New API Key', icon: 'plus', action: 'keys:write', to: '/api-keys?create' },
  { title: 'Add webhook', icon: 'webhook', action: 'webhooks:write', to: '/webhooks?create' },
  { title: 'New template', icon: 'template', action: 'templates:write', to: '/templates/new' },
  { title: 'Invite a member', icon: 'people', action: 'members:write', to: '/settings/members' },
]

/** What matches the text: an id first, then pages, then actions. */
export function paletteItems(text: string, { actions, go, help, signOut }: World): PaletteItem[] {
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
    ...beginnings
      .filter(({ action: needed }) => actions.includes(needed))
      .map(({ title, icon, to }) => action(title, icon, () => go(to))),
    action('Light theme', 'sun', () => setPreference('theme', 'light')),
    action('Dark theme', 'moon', () => setPreference('theme', 'dark')),
    action('Use system theme', 'monitor', () => setPreference('theme', 'system')),
    action('Keyboard shortcuts', 'help', help),
    action('Guides', 'book', () => window.location.assign('/docs')),
    action('API reference', 'book', () => window.location.assign('/docs/api')),
    action('Errors', 'book', () => window.location.assign('/docs/errors')),
    action('Changelog', 'book', () => go('/help?changelog')),
    action('Sign out', 'out', signOut),
  ]
  const words = wanted.split(/\s+/)
  return [
    ...ids.map(({ title, to }) => action(`${title} ${text.trim()}`, 'search', () => go(to(text.trim())))),
    ...(wanted.startsWith('med_') && actions.includes('pii:read') ? [mediaItem(text.trim())] : []),
    ...all.filter(({ title }) => words.every((word) => title.toLowerCase().includes(word))),
  ]
}

/** An event or a delivery whose whole id is there; which webhook it belongs to, only the gateway knows. */
export function idToLookUp(text: string, actions: readonly Action[]): string | null {
  const [id] = /^(evt|dlv)_[0-9a-z]{26,28}$/.exec(text.trim()) ?? []
  return id !== undefined && actions.includes('webhooks:read') ? id : null
}

/** The way to each delivery that was found, and to the message the event is about. */
export function foundItems({ deliveries, message_id: messageId }: Found, { actions, go }: World): PaletteItem[] {
  const items = deliveries.map(({ id, type, url, webhook_id: webhookId }) => ({
    id: `delivery-${id}`,
    title: `${type} to ${shortUrl(url)}`,
    kind: 'Delivery',
    icon: 'webhook' as const,
    run: () => go(`/webhooks/${webhookId}?delivery=${id}`),
  }))
  if (messageId === null || !actions.includes('messages:read')) return items
  const address = `/messages/${encodeURIComponent(messageId)}`
  return [
    ...items,
    { id: 'found-message', title: `Message ${messageId}`, kind: 'Message', icon: 'message', run: () => go(address) },
  ]
}

function action(title: string, icon: IconName, run: () => void): PaletteItem {
  return { id: `action-${title.replace(/\W+/g, '-')}`, title, kind: 'Action', icon, run }
}

/** A file has no page: it is handed out as an attachment. */
function mediaItem(id: string): PaletteItem {
  const address = `/console/api/media/${encodeURIComponent(id)}/content`
  return action(`Download media ${id}`, 'download', () => window.location.assign(address))
}
