import { type ChildProcess, fork } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { loadConfig } from '../server/src/config/config.ts'
import { createRuntime } from '../server/src/create-runtime.ts'
import { createLogger } from '../server/src/observe/log.ts'
import type { Runtime } from '../server/src/runtime.ts'
import { registerWebhook } from '../server/src/webhooks/register-webhook.ts'
import { startProcess } from '../test/support/child-process.ts'
import { startPostgres } from '../test/support/postgres/postgres.ts'
import { testCertificates } from '../test/support/tls.ts'

export type EngineName = 'sqlite' | 'postgres'

export type Stage = {
  engine: EngineName
  env: Record<string, string>
  rt: Runtime
  ports: number[]
  /** Null on SQLite. */
  postgresPid: number | null
  /** `checkout` is that of another version. */
  startEngine(checkout?: string): Promise<Engine>
  /** What receivers saw since the last call, by the first part of the path. */
  report(): Promise<Record<string, { count: number; p50Ms: number; p99Ms: number; maxMs: number }>>
}

export type Engine = { pid: number; publish(count: number, accounts: readonly string[]): Promise<void> }

/** A database, a TLS receiver and a delivering process, each on its own; all gone afterwards. */
export async function onStage<Result>(engine: EngineName, run: (stage: Stage) => Promise<Result>): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), 'postern-bench-'))
  const { ca, trusted } = await testCertificates()
  const files = { ca: join(folder, 'ca.pem'), cert: join(folder, 'cert.pem'), key: join(folder, 'key.pem') }
  for (const [name, text] of Object.entries({ ca, ...trusted })) writeFileSync(files[name as keyof typeof files], text)
  const server = engine === 'postgres' ? await startPostgres({ durable: true }) : null
  const env: Record<string, string> = {
    POSTERN_DATA_DIR: folder,
    POSTERN_MASTER_KEY: randomBytes(32).toString('hex'),
    POSTERN_WEBHOOK_VERIFICATION: 'off',
    POSTERN_WEBHOOK_DEV_ALLOW: '127.0.0.0/8',
    POSTERN_WEBHOOK_CA_FILE: files.ca,
    ...(server ? { POSTERN_DATABASE_URL: server.url } : {}),
  }
  const closers: (() => Promise<unknown>)[] = []
  const log = createLogger({ level: 'silent', format: 'json' })
  const rt = await createRuntime(loadConfig({ env, terminal: false }).config, log, closers)
  const receiver = startProcess(process.execPath, ['bench/webhooks-receiver.ts', files.cert, files.key, '8'])
  const { ports } = JSON.parse(await receiver.line((line) => line.includes('ports'))) as { ports: number[] }
  const children: ChildProcess[] = []
  let reports = 0
  try {
    return await run({
      engine,
      env,
      rt,
      ports,
      postgresPid: server?.pid ?? null,
      async startEngine(checkout = '.') {
        const child = fork(join(checkout, 'bench/webhooks-engine.ts'), { env: { ...process.env, ...env } })
        children.push(child)
        await once(child, 'message')
        return {
          pid: child.pid ?? 0,
          async publish(count, accounts) {
            child.send({ count, accounts })
            await once(child, 'message')
          },
        }
      },
      async report() {
        const wanted = `{"report":${++reports},`
        receiver.signal('SIGUSR2')
        return JSON.parse(await receiver.line((line) => line.startsWith(wanted) || line === `{"report":${reports}}`))
      },
    })
  } finally {
    for (const child of children) {
      child.kill('SIGKILL')
      await once(child, 'exit')
    }
    await receiver.destroy()
    for (const close of closers.reverse()) await close()
    await server?.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** An account with one webhook, so many times over. */
export async function aWebhookEach(stage: Stage, count: number, kind: string, search = ''): Promise<string[]> {
  return Promise.all(
    Array.from({ length: count }, async (_, index) => {
      const accountId = stage.rt.newId('acc')
      const url = `${urlOf(stage, kind, index)}${search}`
      const secret = `whsec_${randomBytes(32).toString('base64')}`
      await registerWebhook(stage.rt, accountId, { url, events: ['*'], secret })
      return accountId
    }),
  )
}

export function urlOf({ ports }: Stage, kind: string, index: number): string {
  return `https://localhost:${ports[index % ports.length]}/${kind}/${index}`
}
