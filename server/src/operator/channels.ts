import { operator } from '../audit/audit.ts'
import { requireNumber } from '../channels/require-number.ts'
import { connectSandboxChannel as connect } from '../connect/connect-channel.ts'
import { openSandboxNumber } from '../platform/sandbox-control.ts'
import { addSandboxTemplates } from '../platform/sandbox-templates.ts'
import type { Runtime } from '../runtime.ts'
import { seedCatalog } from '../templates/catalog/seed-catalog.ts'

/** Channels, their numbers, and the calls of Meta's API that a probe compares. */
export { type ManualSetup, readChannelManual } from '../channels/attach-app.ts'
export { type ChannelRecord, listChannels } from '../channels/channel-record.ts'
export { checkChannel } from '../channels/check/check-channel.ts'
export { type CheckStep, isFailed } from '../channels/check/check-step.ts'
export { requireNumber } from '../channels/require-number.ts'
export { setDefaultNumber } from '../channels/save-channel.ts'
export { type ConnectResult, connectChannel } from '../connect/connect-channel.ts'
export { disconnectChannel } from '../connect/console-channels.ts'
export type { NumberCredentials } from '../platform/chat-platform.ts'
export { CloudCaller, type CloudRequest } from '../platform/cloud/cloud-request.ts'
export { PlatformError } from '../platform/platform-error.ts'

/** A new number of a sandbox, with the templates of the catalog. */
export async function connectSandboxChannel(rt: Runtime, accountId: string, url: string) {
  const result = await connect(rt, accountId, { url, openNumber: openSandboxNumber }, operator)
  if (result.numberId !== null) {
    await seedCatalog(rt, await requireNumber(rt, accountId, { from: result.numberId }), addSandboxTemplates)
  }
  return result
}
