import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createKey } from '../server/src/access/keys/create-key.ts'
import { createTokenCheck, type TokenCheck } from '../server/src/access/tokens/check-token.ts'
import { issueToken } from '../server/src/access/tokens/issue-token.ts'
import { createTokenAuthority } from '../server/src/access/tokens/token-codec.ts'
import { operator } from '../server/src/audit/audit.ts'
import { loadConfig } from '../server/src/config/config.ts'
import type { Plan } from '../server/src/contract/plans.ts'
import { scopes } from '../server/src/contract/scopes.ts'
import { createRuntime } from '../server/src/create-runtime.ts'
import { createAccount } from '../server/src/installation/account.ts'
import { createGate } from '../server/src/limits/quota-shared.ts'
import { createAttemptLimit } from '../server/src/limits/sign-in.ts'
import { createLogger } from '../server/src/observe/log.ts'
import type { Runtime } from '../server/src/runtime.ts'
import { type PostgresServer, startPostgres } from '../test/support/postgres/postgres.ts'
import { type Bench, type Contestant, compare, runLoad } from './harness.ts'

const concurrency = 64
const ip = '127.0.0.1'

/**
 * What a valid token costs per request once it is known: epoch, expiry, account, address and quota. The first contestant
 * does nothing, so the difference to it is the price. A full quota window is refused by the caller of the check, not by
 * the check itself, so a run may go on beyond it.
 */
export const tokenCheckBench: Bench = {
  name: 'token-check',
  summary: 'CPU that checking a warm access token adds to a request',
  async run() {
    const contestants = [
      nothing,
      warmCheck('sqlite, not counted', 'sqlite', 'enterprise'),
      warmCheck('sqlite, counted', 'sqlite', 'professional'),
      warmCheck('postgres, not counted', 'postgres', 'enterprise'),
      warmCheck('postgres, counted', 'postgres', 'professional'),
    ]
    return [{ title: `Warm token check, concurrency ${concurrency}`, rows: await compare({ contestants, seconds: 1 }) }]
  },
}

const nothing: Contestant = {
  name: 'nothing',
  async start() {
    return { run: (seconds) => runLoad({ concurrency, seconds, operation: async () => {} }), async stop() {} }
  },
}

function warmCheck(name: string, engine: 'sqlite' | 'postgres', plan: Plan): Contestant {
  return {
    name,
    async start() {
      const folder = await mkdtemp(join(tmpdir(), 'postern-bench-'))
      const server: PostgresServer | null = engine === 'postgres' ? await startPostgres({ durable: true }) : null
      const env = { POSTERN_DATA_DIR: folder, ...(server ? { POSTERN_DATABASE_URL: server.url } : {}) }
      const { config } = loadConfig({ env, terminal: false })
      const closers: (() => Promise<unknown>)[] = []
      const rt = await createRuntime(config, createLogger({ level: 'silent', format: 'json' }), closers)
      const gate = createGate(rt)
      const check = createTokenCheck(rt, createTokenAuthority(rt), gate)
      const token = await aToken(rt, plan)
      return {
        run: (seconds) => runLoad({ concurrency, seconds, operation: () => checkOnce(check, token) }),
        async stop() {
          await gate.close()
          for (const close of closers.reverse()) await close()
          await server?.stop()
          await rm(folder, { recursive: true, force: true })
        },
      }
    },
  }
}

async function checkOnce(check: TokenCheck, token: string): Promise<void> {
  const { caller } = await check(token, { ip, counted: true })
  if (caller.scopes.length === 0) throw new Error('A token without scopes.')
}

async function aToken(rt: Runtime, plan: Plan): Promise<string> {
  const { account, owner } = await createAccount(rt, { name: 'Bench', plan, actor: operator })
  const input = { accountId: account.id, name: 'Bench', scopes, createdBy: owner.id, actor: operator }
  const { row, secret } = await createKey(rt, input)
  const request = { apiKey: row.public_key, apiSecret: secret, scopes: null, ip }
  return (await issueToken(rt, createTokenAuthority(rt), createAttemptLimit(rt), request)).access_token
}
