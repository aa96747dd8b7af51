import { loadConfig } from '../../server/src/config.ts'
import { createRuntime } from '../../server/src/create-runtime.ts'
import { createLogger } from '../../server/src/log.ts'
import type { Runtime } from '../../server/src/runtime.ts'
import { startDeliveryEngine } from '../../server/src/workers/delivery-engine.ts'

/**
 * A process that only delivers webhooks, to be killed. Settings come from the environment; with STOP_AT it goes as far
 * as the named point, says so and stands still there: `request` is between the claim and the request, `record` between
 * the receiver's answer and the commit.
 */
const { config } = loadConfig({ env: process.env, terminal: false })
const closers: (() => Promise<unknown>)[] = []
const rt = await createRuntime(config, createLogger({ level: 'error', format: 'json' }), closers)
const engine = startDeliveryEngine(stoppingAt(process.env.STOP_AT ?? '', rt))
process.on('SIGTERM', async () => {
  await engine.drain(20_000)
  for (const close of closers.reverse()) await close()
})
say('ready')

function stoppingAt(point: string, tools: Runtime): Runtime {
  const standStill = (): Promise<never> => {
    say(point)
    return new Promise(() => {})
  }
  if (point === 'request') return { ...tools, deliver: { ...tools.deliver, post: standStill } }
  if (point !== 'record') return tools
  const write: typeof tools.store.write = (unit) =>
    unit.calls.some(({ operation }) => operation.name === 'deliveries.finish') ? standStill() : tools.store.write(unit)
  return { ...tools, store: { ...tools.store, write } }
}

function say(word: string): void {
  process.stdout.write(`${word}\n`)
}
