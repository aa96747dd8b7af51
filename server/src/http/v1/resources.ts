import type { Runtime } from '../../runtime.ts'
import { addConsoleRoutes } from '../console/console-routes.ts'
import { addDocsPages } from '../docs/docs-pages.ts'
import type { App } from '../edge/context.ts'
import { addGraphRoutes } from '../graph/graph-routes.ts'
import { addPlatformCallbackRoutes } from '../platform-callback.ts'
import { apiMount } from '../shared/mount.ts'
import { addSharedRoutes } from '../shared/routes.ts'
import { addAuthRoutes } from './auth.ts'
import { addEventRoutes } from './events.ts'
import { addListeningRoutes } from './listening.ts'
import { addMediaRoutes } from './media.ts'
import { addMessageRoutes } from './messages.ts'
import { addTemplatePreviewRoute } from './template-preview.ts'
import { addWebhookDeliveryRoutes, addWebhookReadRoutes } from './webhooks.ts'

/** One function per resource; each adds its routes. */
export const resources: readonly ((app: App, rt: Runtime) => void | Promise<void>)[] = [
  addAuthRoutes,
  addMessageRoutes,
  addTemplatePreviewRoute,
  (app, rt) => addSharedRoutes(app, rt, apiMount),
  addPlatformCallbackRoutes,
  addGraphRoutes,
  addDocsPages,
  addConsoleRoutes,
  addWebhookReadRoutes,
  addWebhookDeliveryRoutes,
  addEventRoutes,
  addListeningRoutes,
  addMediaRoutes,
]
