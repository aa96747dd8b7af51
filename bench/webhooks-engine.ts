/**
 * The process under test: it delivers, and publishes when its parent says so, as a gateway does. Only so a commit on
 * SQLite wakes the engine. Settings come from the environment.
 */
import { loadConfig } from '../server/src/config/config.ts'
import { createRuntime } from '../server/src/create-runtime.ts'
import { createLogger } from '../server/src/observe/log.ts'
import { startDeliveryEngine } from '../server/src/workers/delivery-engine.ts'
import { publishMany } from './webhooks-load.ts'

const { config } = loadConfig({ env: process.env, terminal: false })
const log = createLogger({ level: 'info', format: 'json', destination: { write: () => {} } })
// As in production, where nobody asks whether a webhook may be on this machine.
const rt = await createRuntime({ ...config, env: 'production' }, log, [])
startDeliveryEngine(rt)
process.on('message', ({ count, accounts }: { count: number; accounts: string[] }) => {
  void publishMany(rt, count, accounts).then(() => process.send?.('published'))
})
process.send?.('ready')
