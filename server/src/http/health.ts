import { isRecord } from '../lib/is-record.ts'
import type { App } from './edge/context.ts'

export type Check = { name: string; status: 'ok' | 'failing'; duration_ms: number; detail?: string }

/** What readiness looks at; composition decides what that is. */
export type Readiness = {
  check(): Promise<Check[]>
}

type HealthOptions = {
  verbose?: boolean
  /** Of the database behind this listener. */
  installation?: string | undefined
}

/** Tells an operator which gateway an address leads to; no secret, as every token names it too. */
export const installationHeader = 'x-postern-installation'

/** Alive means the event loop answers; ready means traffic may come. Neither asks the platform: its outage is not ours. */
export function addHealthRoutes(app: App, readiness: Readiness, options: HealthOptions = {}): void {
  app.get('/livez', { schema: { hide: true } }, async (_request, reply) => {
    if (options.installation !== undefined) reply.header(installationHeader, options.installation)
    return { status: 'ok' }
  })
  for (const path of ['/readyz', '/healthz']) {
    app.get(path, { schema: { hide: true } }, async (request, reply) => {
      const checks = await readiness.check()
      const failing = checks.some(({ status }) => status === 'failing')
      const verbose = options.verbose && isRecord(request.query) && request.query.verbose !== undefined
      reply.code(failing ? 503 : 200)
      return {
        status: failing ? 'failing' : 'ok',
        ...(verbose || failing ? { checks: checks.map(verbose ? asIs : nameOnly) } : {}),
      }
    })
  }
}

const asIs = (check: Check): Check => check
const nameOnly = ({ name, status }: Check): Pick<Check, 'name' | 'status'> => ({ name, status })
