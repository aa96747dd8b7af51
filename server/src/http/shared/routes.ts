import type { Runtime } from '../../runtime.ts'
import type { App } from '../edge/context.ts'
import { addAnalyticsRoutes } from './analytics.ts'
import { addBlockedRoutes } from './blocked.ts'
import { addBroadcastRecipientRoutes } from './broadcast-recipients.ts'
import { addBroadcastRoutes } from './broadcasts.ts'
import { addBudgetRoutes } from './budgets.ts'
import { addConversationControlRoutes, addConversationListRoutes } from './conversations.ts'
import { addCostRoutes } from './costs.ts'
import { addCustomerRoutes } from './customers.ts'
import { addEntryPointRoutes } from './entry-points.ts'
import type { Mount } from './mount.ts'
import { addProfileRoutes } from './profile.ts'
import { addSavedReplyRoutes } from './saved-replies.ts'
import { addSendRoutes } from './sends.ts'
import { addTemplateRoutes } from './templates.ts'
import { addUploadRoutes } from './uploads.ts'
import { addRedeliveryRoutes, addWebhookRoutes } from './webhooks.ts'

const shared = [
  addSendRoutes,
  addUploadRoutes,
  addAnalyticsRoutes,
  addCostRoutes,
  addBudgetRoutes,
  addTemplateRoutes,
  addProfileRoutes,
  addEntryPointRoutes,
  addConversationListRoutes,
  addConversationControlRoutes,
  addSavedReplyRoutes,
  addBlockedRoutes,
  addCustomerRoutes,
  addBroadcastRoutes,
  addBroadcastRecipientRoutes,
  addWebhookRoutes,
  addRedeliveryRoutes,
]

/** Routes for programs under /v1 and people under /console/api: declared once, added at each mount. */
export function addSharedRoutes(app: App, rt: Runtime, mount: Mount): void {
  for (const add of shared) add(app, rt, mount)
}
