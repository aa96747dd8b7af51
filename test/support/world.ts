import { startOwnSandbox } from '../../cli/src/own-sandbox.ts'
import { loadConfig } from '../../server/src/config/config.ts'
import { createLogger } from '../../server/src/observe/log.ts'
import { type Service, startService } from '../../server/src/service.ts'
import { feedSettled } from './feed.ts'
import { createHttpClient } from './http-client.ts'
import { keepSecrets, searchAnswersOf, searchLog } from './leaks/leaks.ts'
import { type EngineName, freshDatabase, type TestDatabase } from './postgres/databases.ts'
import { waitFor } from './wait-for.ts'

export type Answer = {
  status: number
  headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: answers are what tests look into
  body: any
}

export type World = {
  service: Service
  sandboxUrl: string
  database: TestDatabase
  logLines: string[]
  accountId: string
  apiKey: string
  apiSecret: string
  token: string
  /** A customer whose window is open from the start. */
  customer: string
  get(path: string, token?: string): Promise<Answer>
  post(path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>
  call(
    method: string,
    path: string,
    options?: { body?: unknown; headers?: Record<string, string>; token?: string },
  ): Promise<Answer>
  control(method: string, path: string, body?: unknown): Promise<Answer>
  stop(): Promise<void>
}

/** Deadlines are the product's: on a busy machine a healthy platform must not look like a slow one. */
const usual = {
  POSTERN_LISTEN: '127.0.0.1:0',
  POSTERN_ADMIN_LISTEN: '127.0.0.1:0',
  POSTERN_SANDBOX_LISTEN: '127.0.0.1:0',
  // An answer that was lost stays lost: nothing else is waited for.
  POSTERN_SEND_SETTLE_WAIT_MS: '250',
  POSTERN_LOG_LEVEL: 'debug',
}

/**
 * Gateway, sandbox and an account with an approved catalog, over real sockets on a fresh database. Whatever it logs or
 * answers is searched for secrets.
 */
export async function aWorld(
  engine: EngineName,
  env: Record<string, string> = {},
  startPlatform = startOwnSandbox,
): Promise<World> {
  const database = await freshDatabase(engine, { withDays: true })
  const url: Record<string, string> =
    database.database.kind === 'postgres' ? { POSTERN_DATABASE_URL: database.database.url } : {}
  const settings = { ...usual, POSTERN_DATA_DIR: database.folder, ...url, ...env }
  const { config } = loadConfig({ env: settings, terminal: false })
  const logLines: string[] = []
  const write = (line: string) => {
    logLines.push(line)
    searchLog(line)
  }
  const log = createLogger({ level: 'debug', format: 'json', destination: { write } })
  const sandbox = await startPlatform(config)
  if (!sandbox) throw new Error('The sandbox is switched off.')
  const ends = [keepSecrets('meta', sandbox.forService.firstNumber.appSecret)]
  const service = await startService(config, log, { sandbox: sandbox.forService })
  ends.push(searchAnswersOf(Number(new URL(service.urls.base).port)))
  const { accountId, credentials } = service.firstRun ?? {}
  if (!accountId || !credentials) throw new Error('The database was not empty.')

  const client = createHttpClient()
  const request = async (
    base: string,
    method: string,
    path: string,
    body: unknown,
    headers: Record<string, string>,
  ): Promise<Answer> => {
    const sent = body === undefined ? headers : { 'content-type': 'application/json', ...headers }
    const text = body === undefined ? undefined : JSON.stringify(body)
    const response = await client.request(method, `${base}${path}`, sent, text)
    return Object.assign(response, { body: response.text === '' ? null : JSON.parse(response.text) })
  }
  const base = service.urls.base.replace('localhost', '127.0.0.1')
  const issued = await request(
    base,
    'POST',
    '/v1/auth/token',
    { api_key: credentials.apiKey, api_secret: credentials.apiSecret },
    {},
  )
  const token: string = issued.body.data.access_token
  const bearer = (own = token) => ({ authorization: `Bearer ${own}` })

  const world: World = {
    service,
    sandboxUrl: sandbox.forService.url,
    database,
    logLines,
    accountId,
    apiKey: credentials.apiKey,
    apiSecret: credentials.apiSecret,
    token,
    customer: '+12025550100',
    async get(path, own) {
      if (path.startsWith('/v1/events')) await feedSettled(service.rt.store)
      return request(base, 'GET', path, undefined, bearer(own))
    },
    post: (path, body = {}, headers = {}) => request(base, 'POST', path, body, { ...bearer(), ...headers }),
    call: (method, path, { body, headers = {}, token: own } = {}) =>
      request(base, method, path, body, { ...bearer(own), ...headers }),
    control: (method, path, body) => request(sandbox.forService.url, method, path, body, {}),
    async stop() {
      await service.stop()
      await sandbox.close()
      await database.remove()
      client.close()
      for (const end of ends) end()
    },
  }
  // The sandbox number and its catalog come from a job, moments after the start.
  await waitFor(async () => (await world.get('/v1/auth/me')).body.data.channel.connected, 15_000)
  await waitFor(
    async () => (await world.get('/v1/chat/templates?status=approved&limit=100')).body.data.templates.length >= 8,
    15_000,
  )
  return world
}
