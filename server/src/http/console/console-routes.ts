import { createSignInLimit, type SignInLimit } from '../../limits/sign-in.ts'
import type { Runtime } from '../../runtime.ts'
import { withRefusals } from '../edge/body/json-parser.ts'
import type { App } from '../edge/context.ts'
import { consoleMount } from '../shared/mount.ts'
import { addSharedRoutes } from '../shared/routes.ts'
import { addAccountRoutes } from './account.ts'
import { addAuditRoutes } from './audit.ts'
import { addChannelRoutes } from './channels.ts'
import { addConnectionRoutes } from './connections.ts'
import { addConsoleAccess } from './console-access.ts'
import { addConsoleFiles } from './console-files.ts'
import { addConversationRoutes } from './conversations.ts'
import { addExportRoutes } from './exports.ts'
import { addHomeRoutes } from './home.ts'
import { addInstallationRoutes } from './installation/installation.ts'
import { addKeyRoutes } from './keys.ts'
import { addLiveRoute } from './live.ts'
import { addConsoleMediaRoutes } from './media.ts'
import { addMemberRoutes } from './members.ts'
import { addMessageLogRoutes } from './messages.ts'
import { addRateRoutes } from './rates.ts'
import { addRequestLogRoutes } from './request-log.ts'
import { addSandboxRoutes } from './sandbox.ts'
import { addSessionRoutes } from './session.ts'
import { addSetupRoutes } from './setup.ts'
import { addMailRoutes } from './sign-in/mail.ts'
import { addOidcRoutes } from './sign-in/oidc.ts'
import { addSignupRoutes } from './signups.ts'
import { addConsoleTemplateRoutes } from './templates.ts'
import { addTwoFactorRoutes } from './two-factor.ts'
import { addConsoleDeliveryRoutes, addConsoleWebhookRoutes } from './webhooks.ts'

/** One function per resource of the console; each adds its routes under /console/api. */
const consoleResources: readonly ((app: App, rt: Runtime, limit: SignInLimit) => void)[] = [
  addSessionRoutes,
  addSetupRoutes,
  addOidcRoutes,
  addTwoFactorRoutes,
  addInstallationRoutes,
  addKeyRoutes,
  addMemberRoutes,
  addMailRoutes,
  addRequestLogRoutes,
  addRateRoutes,
  addAuditRoutes,
  addExportRoutes,
  addAccountRoutes,
  addLiveRoute,
  addHomeRoutes,
  addMessageLogRoutes,
  addConversationRoutes,
  addConsoleMediaRoutes,
  addSandboxRoutes,
  addConsoleWebhookRoutes,
  addConsoleDeliveryRoutes,
  addChannelRoutes,
  addConnectionRoutes,
  addSignupRoutes,
  addConsoleTemplateRoutes,
  (app, rt) => addSharedRoutes(app, rt, consoleMount),
]

/** The console: its pages as files, and the API behind them with sessions instead of tokens. */
export async function addConsoleRoutes(app: App, rt: Runtime): Promise<void> {
  await app.register(async (scope: App) => {
    documentAnswers(scope)
    addConsoleAccess(scope, rt)
    const limit = createSignInLimit(rt)
    for (const add of consoleResources) add(scope, rt, limit)
  })
  await addConsoleFiles(app, rt)
}

/** Every route documents the same refusals as /v1, and the cookie; a route names only what it answers on success. */
function documentAnswers(app: App): void {
  app.addHook('onRoute', (route) => {
    const security = route.config?.console === 'public' ? [] : [{ session: [] }]
    route.schema = { ...withRefusals(route.schema), security }
  })
}
