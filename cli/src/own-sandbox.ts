import { join } from 'node:path'
import { startSandbox } from '@postern/sandbox/sandbox.ts'
import { factsOf, requireDatabase } from '@postern/server/database.ts'
import type { ServiceSandbox } from '@postern/server/gateway.ts'
import type { Config } from '@postern/server/settings.ts'

export type RunningSandbox = { forService: ServiceSandbox; close(): Promise<void> }

/**
 * The simulated platform that `serve` brings along; null in production or when switched off. Its first number has passed
 * the reviews a newcomer would wait for, and callbacks reach a gateway without a certificate; its limits are in force.
 */
export async function startOwnSandbox({ sandboxListen, dataDir, database }: Config): Promise<RunningSandbox | null> {
  if (sandboxListen === 'off') return null
  // The first that writes into the data folder: a start that the database refuses leaves nothing there.
  if (factsOf(database).shared) await requireDatabase(database)
  const prepared = { approved: true, development: true, stateFile: join(dataDir, 'sandbox.json') }
  const sandbox = await startSandbox({ ...sandboxListen, ...prepared })
  const { numbers, url } = sandbox
  const [first] = numbers
  if (!first) throw new Error('The sandbox has no number.')
  return {
    forService: {
      url,
      wabaIds: numbers.map(({ waba_id }) => waba_id),
      firstNumber: {
        phoneNumberId: first.phone_number_id,
        phoneNumber: first.phone_number,
        wabaId: first.waba_id,
        accessToken: first.access_token,
        appSecret: first.app_secret,
        appId: first.app_id,
        graphVersion: first.graph_version,
      },
    },
    close: sandbox.close,
  }
}
