import type { Schemas } from '../api.ts'
import { guides } from '../api-values.ts'
import type { IconName } from '../components/icon.tsx'
import { shortUrl } from '../components/short-url.ts'
import { conversationAddress } from '../conversation-address.ts'
import { addressOf, allowedPages } from '../pages.ts'
import { setPreference } from '../preferences.ts'
import type { Action } from '../session.ts'

type Found = Schemas['ConsoleFoundDeliveries']
export type PaletteItem = {
  id: string
  title: string
  kind: string
  /** Beside the title, each in a direction of its own: a number, the words that were found. */
  detail?: readonly string[]
  icon: IconName
  /** Found by these words too. */
  also?: string
  run: () => void
}
export type World = { actions: readonly Action[]; go: (to: string) => void; help: () => void; signOut: () => void }

/** Ids explain themselves by their prefix; each leads to the page that shows it. */
const idPages: readonly { prefix: string; title: string; action: Action; to: (id: string) => string }[] = [
  { prefix: 'req_', title: 'Open API request', action: 'logs:read', to: (id) => `/logs?search=${id}` },
  { prefix: 'whk_', title: 'Open webhook', action: 'webhooks:read', to: (id) => `/webhooks/${id}` },
  { prefix: 'bct_', title: 'Open broadcast', action: 'broadcasts:read', to: (id) => `/broadcasts/${id}` },
  { prefix: 'tpl_', title: 'Open template', action: 'templates:read', to: (id) => `/templates/${id}` },
  ...['out_', 'in_', 'wamid.'].map((prefix) => ({
    prefix,
    title: 'Open message',
    action: 'messages:read' as const,
    to: (id: string) => `/messages/${encodeURIComponent(id)}`,
  })),
  { prefix: 'key_', title: 'Requests of API key', action: 'logs:read', to: (id) => `/logs?key_id=${id}` },
  { prefix: 'usr_', title: 'Find among the members', action: 'members:read', to: () => '/settings/members' },
]

/** What can be begun from anywhere. */
const beginnings: readonly { title: string; icon: IconName; action: Action; to: string }[] = [
  { title: 'Send a test message', icon: 'message', action: 'messages:send', to: '/?send' },
  { title: 'Create New API Key', icon: 'plus', action: 'keys:write', to: '/api-keys?create' },
  { title: 'Add webhook', icon: 'webhook', action: 'webhooks:write', to: '/webhooks?create' },
  { title: 'New broadcast', icon: 'megaphone', action: 'broadcasts:write', to: '/broadcasts/new' },
  { title: 'New template', icon: 'template', action: 'templates:write', to: '/templates/new' },
  { title: 'Invite a member', icon: 'people', action: 'members:write', to: '/settings/members' },
]

/** Sections of the settings, by the words people look for. */
const sections: readonly { title: string; action: Action | null; to: string; also?: string }[] = [
  { title: 'Plan and limits', action: 'usage:read', to: '/settings/plan' },
  { title: 'Account settings', action: null, to: '/settings/account' },
  { title: 'Members and roles', action: 'members:read', to: '/settings/members' },
  {
    title: 'Password, sessions and security',
    action: null,
    to: '/settings/security',
    also: 'two-factor 2fa mfa totp authenticator recovery codes',
  },
  { title: 'Audit log', action: 'audit:read', to: '/settings/audit' },
]

/** A phone number as people write it, with or without its +. */
export function phoneIn(text: string): string | null {
  const digits = text.replace(/[\s().-]/g, '')
  return /^\+?\d{7,15}$/.test(digits) ? `+${digits.replace('+', '')}` : null
}

/** A customer, and what may be a reference of the caller's own: both are only offered, nobody has looked yet. */
function messageItems(text: string, { actions, go }: World): PaletteItem[] {
  const wanted = text.trim()
  // An id is no reference: it is found by what it is, or not at all.
  if (!actions.includes('messages:read') || wanted.length < 3 || /^[a-z]{2,4}_[0-9a-z]{20}/.test(wanted)) return []
  const phone = phoneIn(wanted)
  const search = `/messages?${new URLSearchParams({ search: phone ?? wanted })}`
  if (phone === null) return [action(`Messages with the reference ${wanted}`, 'search', () => go(search))]
  return [
    ...(actions.includes('pii:read')
      ? [action(`Conversation with ${phone}`, 'chat', () => go(conversationAddress(phone)))]
      : []),
    action(`Messages of ${phone}`, 'search', () => go(search)),
  ]
}

/** Pages of the documentation; without a word to find them by they would fill the list. */
function guideItems({ go }: World): PaletteItem[] {
  const pages = [
    { slug: 'guides', title: 'Guides', summary: 'all of them' },
    { slug: 'api', title: 'API reference', summary: 'endpoints, fields, responses, OpenAPI' },
    { slug: 'errors', title: 'Errors', summary: 'codes and what to do' },
    ...guides,
  ]
  return pages.map(({ slug, title, summary }) => ({
    id: `guide-${slug}`,
    title,
    kind: 'Docs',
    icon: 'book',
    also: summary,
    run: () => go(`/help/${slug}`),
  }))
}

/** What matches the text: an id first, then pages, then actions. */
export function paletteItems(text: string, world: World): PaletteItem[] {
  const { actions, go, help, signOut } = world
  const wanted = text.trim().toLowerCase()
  const ids = idPages.filter(({ prefix, action }) => wanted.startsWith(prefix) && actions.includes(action))
  const all: PaletteItem[] = [
    ...allowedPages(actions)
      .filter((page) => !page.isAboutOne)
      .map((page) => ({
        id: `page-${page.title.replace(/\W+/g, '-')}`,
        title: page.title,
        kind: 'Page',
        icon: page.icon,
        run: () => go(addressOf(page)),
      })),
    ...beginnings
      .filter(({ action: needed }) => actions.includes(needed))
      .map(({ title, icon, to }) => action(title, icon, () => go(to))),
    ...sections
      .filter(({ action: needed }) => needed === null || actions.includes(needed))
      .map(({ title, to, also }) => ({
        ...action(title, 'settings', () => go(to)),
        kind: 'Settings',
        ...(also ? { also } : {}),
      })),
    action('Light theme', 'sun', () => setPreference('theme', 'light')),
    action('Dark theme', 'moon', () => setPreference('theme', 'dark')),
    action('Use system theme', 'monitor', () => setPreference('theme', 'system')),
    action('Keyboard shortcuts', 'help', help),
    action('Changelog', 'book', () => go('/help?changelog')),
    action('Sign out', 'out', signOut),
    ...(wanted === '' ? [] : guideItems(world)),
  ]
  const words = wanted.split(/\s+/)
  return [
    ...ids.map(({ title, to }) => action(`${title} ${text.trim()}`, 'search', () => go(to(text.trim())))),
    ...(wanted.startsWith('med_') && actions.includes('pii:read') ? [mediaItem(text.trim())] : []),
    ...(phoneIn(wanted) ? messageItems(text, world) : []),
    ...all.filter((item) => words.every((word) => `${item.title} ${item.also ?? ''}`.toLowerCase().includes(word))),
  ]
}

/** What nobody has looked for yet; it comes after what was found. */
export function guessedItems(text: string, world: World): PaletteItem[] {
  const wanted = text.trim().toLowerCase()
  const isId = idPages.some(({ prefix }) => wanted.startsWith(prefix))
  return phoneIn(wanted) || isId ? [] : messageItems(text, world)
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
