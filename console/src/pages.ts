import { type ComponentType, type LazyExoticComponent, lazy } from 'react'
import type { IconName } from './components/icon.tsx'
import type { Action } from './session.ts'

/**
 * Every page of the console, in the order of the sidebar. A new page is a folder in pages/ with a default export and a
 * row here: route, sidebar, palette, go-to key and permission all come from it.
 */
export type ConsolePage = {
  /** As wouter matches it; what stands before a parameter is the address of the link. */
  readonly path: string
  readonly title: string
  /** Where it stands in the sidebar; null: reached from another page only. */
  readonly group: 'messages' | 'developers' | 'account' | 'help' | null
  readonly icon: IconName
  /** What the role must be allowed to do; null: everybody signed in. */
  readonly action: Action | null
  /** `g`, then this key. */
  readonly goKey?: string
  /** Needs more than its address, so the palette does not offer it. */
  readonly isAboutOne?: true
  readonly component: LazyExoticComponent<ComponentType>
}

export const pages: readonly ConsolePage[] = [
  {
    path: '/',
    title: 'Home',
    group: 'messages',
    icon: 'home',
    action: 'analytics:read',
    goKey: 'h',
    component: lazy(() => import('./pages/home/home-page.tsx')),
  },
  {
    path: '/conversations',
    title: 'Conversations',
    group: 'messages',
    icon: 'chat',
    action: 'messages:read',
    goKey: 'i',
    component: lazy(() => import('./pages/conversations/conversations-page.tsx')),
  },
  {
    path: '/customer',
    title: 'Customer',
    group: null,
    icon: 'user',
    action: 'messages:read',
    isAboutOne: true,
    component: lazy(() => import('./pages/customer/customer-page.tsx')),
  },
  {
    path: '/messages/*?',
    title: 'Messages',
    group: 'messages',
    icon: 'message',
    action: 'messages:read',
    goKey: 'm',
    component: lazy(() => import('./pages/messages/messages-page.tsx')),
  },
  {
    path: '/broadcasts/:id?',
    title: 'Broadcasts',
    group: 'messages',
    icon: 'megaphone',
    action: 'broadcasts:read',
    goKey: 'b',
    component: lazy(() => import('./pages/broadcasts/broadcasts-page.tsx')),
  },
  {
    path: '/sandbox',
    title: 'Sandbox',
    group: 'messages',
    icon: 'phone',
    action: 'sandbox:use',
    goKey: 'p',
    component: lazy(() => import('./pages/sandbox/sandbox-page.tsx')),
  },
  {
    path: '/templates/:id?',
    title: 'Templates',
    group: 'messages',
    icon: 'template',
    action: 'templates:read',
    goKey: 't',
    component: lazy(() => import('./pages/templates/templates-page.tsx')),
  },
  {
    path: '/analytics',
    title: 'Analytics',
    group: 'messages',
    icon: 'analytics',
    action: 'analytics:read',
    goKey: 'a',
    component: lazy(() => import('./pages/analytics/analytics-page.tsx')),
  },
  {
    path: '/costs',
    title: 'Costs',
    group: 'messages',
    icon: 'coins',
    action: 'costs:read',
    goKey: 'o',
    component: lazy(() => import('./pages/costs/costs-page.tsx')),
  },
  {
    path: '/api-keys',
    title: 'API Keys',
    group: 'developers',
    icon: 'key',
    action: 'keys:read',
    goKey: 'k',
    component: lazy(() => import('./pages/api-keys/api-keys-page.tsx')),
  },
  {
    path: '/webhooks/:id?',
    title: 'Webhooks',
    group: 'developers',
    icon: 'webhook',
    action: 'webhooks:read',
    goKey: 'w',
    component: lazy(() => import('./pages/webhooks/webhooks-page.tsx')),
  },
  {
    path: '/connections/:id?',
    title: 'Connections',
    group: 'developers',
    icon: 'link',
    action: 'connections:read',
    goKey: 'n',
    component: lazy(() => import('./pages/connections/connections-page.tsx')),
  },
  {
    path: '/logs',
    title: 'API requests',
    group: 'developers',
    icon: 'list',
    action: 'logs:read',
    goKey: 'l',
    component: lazy(() => import('./pages/logs/logs-page.tsx')),
  },
  {
    path: '/channel',
    title: 'Phone numbers',
    group: 'account',
    icon: 'channel',
    action: 'channel:read',
    goKey: 'c',
    component: lazy(() => import('./pages/channel/channel-page.tsx')),
  },
  {
    path: '/number/:id',
    title: 'Number',
    group: null,
    icon: 'channel',
    action: 'profile:read',
    isAboutOne: true,
    component: lazy(() => import('./pages/number/number-page.tsx')),
  },
  {
    path: '/connect',
    title: 'Go live',
    group: null,
    icon: 'channel',
    action: 'channel:write',
    component: lazy(() => import('./pages/channel/connect-page.tsx')),
  },
  {
    path: '/settings/:section?',
    title: 'Settings',
    group: 'account',
    icon: 'settings',
    action: null,
    goKey: 's',
    component: lazy(() => import('./pages/settings/settings-page.tsx')),
  },
  {
    path: '/installation',
    title: 'Installation',
    group: 'account',
    icon: 'monitor',
    action: 'installation:operate',
    goKey: 'r',
    component: lazy(() => import('./pages/installation/installation-page.tsx')),
  },
  {
    path: '/help/:page?',
    title: 'Docs',
    group: 'help',
    icon: 'book',
    action: null,
    goKey: 'd',
    component: lazy(() => import('./pages/help/help-page.tsx')),
  },
]

/** The address of a page without its parameters. */
export function addressOf({ path }: ConsolePage): string {
  return path.replace(/\/[:*].*$/, '') || '/'
}

export function allowedPages(actions: readonly Action[]): ConsolePage[] {
  return pages.filter(({ action }) => action === null || actions.includes(action))
}
