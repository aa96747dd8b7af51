import { loadConfig } from '../../server/src/config/config.ts'
import { createRuntime } from '../../server/src/create-runtime.ts'
import { publishEvent } from '../../server/src/events/publish-event.ts'
import { createLogger } from '../../server/src/observe/log.ts'
import type { Runtime } from '../../server/src/runtime.ts'
import { Unit } from '../../server/src/store/engine/unit.ts'
import { callbackHandlers, startCallbackApplier } from '../../server/src/workers/callback-applier.ts'
import { startDeliveryEngine } from '../../server/src/workers/delivery-engine.ts'

/**
 * A process that delivers webhooks, to be killed. Settings come from the environment; with STOP_AT it goes as far as the
 * named point, says so and stands still there: `claim` is between the commit of an event and its claim, `request` between
 * the claim and the request, `record` between the receiver's answer and the commit. With PUBLISH_FOR it commits an event
 * of that account itself, as an API call would, and says its id. With APPLIES it applies callbacks, too.
 */
const { config } = loadConfig({ env: process.env, terminal: false })
const closers: (() => Promise<unknown>)[] = []
const rt = await createRuntime(config, createLogger({ level: 'error', format: 'json' }), closers)
const engine = startDeliveryEngine(stoppingAt(process.env.STOP_AT ?? '', rt))
const applier = process.env.APPLIES ? startCallbackApplier(rt, callbackHandlers) : null
process.on('SIGTERM', async () => {
  await applier?.drain(20_000)
  await engine.drain(20_000)
  for (const close of closers.reverse()) await close()
})
say('ready')
if (process.env.PUBLISH_FOR) say(await commitEvent(process.env.PUBLISH_FOR))

function stoppingAt(point: string, tools: Runtime): Runtime {
  const standStill = (): Promise<never> => {
    say(point)
    return new Promise(() => {})
  }
  if (point === 'request') return { ...tools, deliver: { ...tools.deliver, post: standStill } }
  const stopped = { claim: 'deliveries.claim', record: 'deliveries.finish' }[point]
  if (stopped === undefined) return tools
  const write: typeof tools.store.write = (unit) =>
    unit.calls.some(({ operation }) => operation.name === stopped) ? standStill() : tools.store.write(unit)
  return { ...tools, store: { ...tools.store, write } }
}

async function commitEvent(accountId: string): Promise<string> {
  const unit = new Unit()
  const id = publishEvent(rt, unit, { accountId, type: 'message.sent', subject: null, sequence: 1, data: {} })
  await rt.store.write(unit)
  return id
}

function say(word: string): void {
  process.stdout.write(`${word}\n`)
}
