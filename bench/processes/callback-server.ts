/**
 * The callback receiver in a process of its own, on SQLite in the folder of the first argument; with `apply` as second
 * argument the applier runs beside it, with handlers that do nothing. Prints one line of JSON.
 */
import type { AddressInfo } from 'node:net'
import { operator } from '../../server/src/audit/audit.ts'
import type { ItemHandler } from '../../server/src/channels/callbacks/callback-items.ts'
import { loadConfig } from '../../server/src/config/config.ts'
import { createRuntime } from '../../server/src/create-runtime.ts'
import { createApp } from '../../server/src/http/app.ts'
import { addPlatformCallbackRoutes } from '../../server/src/http/platform-callback.ts'
import { createAccount } from '../../server/src/installation/account.ts'
import { createLogger } from '../../server/src/observe/log.ts'
import { startCallbackApplier } from '../../server/src/workers/callback-applier.ts'
import { saveCloudChannel } from '../../test/support/save-cloud-channel.ts'

const [folder = '', mode] = process.argv.slice(2)
const nth = 65
const place = { wabaId: `90${nth}`, phoneNumberId: `10${nth}`, appSecret: 'bench' }
const { config } = loadConfig({ env: { POSTERN_DATA_DIR: folder, POSTERN_LOG_LEVEL: 'error' }, terminal: false })
const rt = await createRuntime(config, createLogger({ level: 'error', format: 'json' }), [])
const { account } = await createAccount(rt, { name: 'Bench', plan: 'free', actor: operator })
const { channel } = await saveCloudChannel(rt, account.id, nth, place.appSecret)
const app = await createApp(rt, { readiness: { check: async () => [] }, resources: [addPlatformCallbackRoutes] })
await app.listen({ host: '127.0.0.1', port: 0 })
const applied: ItemHandler = async (_rt, batch) => batch.map(() => 'applied')
if (mode === 'apply') startCallbackApplier(rt, { status: applied })
const { port } = app.server.address() as AddressInfo
process.stdout.write(`${JSON.stringify({ ...place, port, path: `/channel/${channel.callbackId}/callback` })}\n`)
