import { loadConfig } from '../../server/src/config/config.ts'
import { createProcessState } from '../../server/src/create-runtime.ts'
import { manualClock } from '../../server/src/lib/clock.ts'
import { createIds } from '../../server/src/lib/ids.ts'
import { createSecrets } from '../../server/src/lib/secrets.ts'
import { createLogger } from '../../server/src/observe/log.ts'
import { createMetrics } from '../../server/src/observe/metrics.ts'
import { noTracing } from '../../server/src/observe/tracer.ts'
import { passwordCost } from '../../server/src/people/passwords.ts'
import type { Runtime } from '../../server/src/runtime.ts'
import { createCursors } from '../../server/src/store/engine/cursor.ts'
import type { Store } from '../../server/src/store/engine/store.ts'

/** Enough of a runtime to declare routes with. Database and network are missing: routes use them only when asked. */
export function idleRuntime(): Runtime {
  const { config } = loadConfig({ env: {}, terminal: false })
  const clock = manualClock()
  const secrets = createSecrets(Buffer.alloc(32))
  const metrics = createMetrics({ version: 'none', commit: 'none' })
  const store = missing<Store>('store', { shared: false, onCommit: () => () => {}, onNote: () => () => {} })
  return {
    config,
    store,
    platform: missing('platform'),
    deliver: missing('deliver'),
    deliverRelay: missing('deliverRelay'),
    bucket: null,
    oidc: null,
    mailer: null,
    clock,
    newId: createIds(clock),
    secrets,
    cursors: createCursors(secrets, clock),
    log: createLogger({ level: 'silent', format: 'json' }),
    metrics,
    tracer: noTracing,
    ...createProcessState({ store, secrets, clock, metrics }),
    passwordCost,
    urls: { base: 'http://localhost:8080', console: 'http://localhost:8080' },
  }
}

/** `known` is what declaring may use: facts and subscriptions. Everything else needs the real thing. */
function missing<Tool extends object>(name: string, known: Partial<Tool> = {}): Tool {
  return new Proxy(known as Tool, {
    get(target, key) {
      if (key in target) return target[key as keyof Tool]
      throw new Error(`Declaring a route used rt.${name}.${String(key)}: use it when a request comes, not before.`)
    },
  })
}
