import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { strayBaseUrl } from '../../cli/src/listeners.ts'
import { loadConfig } from '../../server/src/config/config.ts'
import { processTimeoutMs, type RunningProcess, startPostern, startProcess } from '../support/child-process.ts'
import { dataFolder } from '../support/folders.ts'
import { aFreePort } from '../support/guides/receivers.ts'
import { freshDatabase } from '../support/postgres/databases.ts'
import { type RunningCommand, startHere } from '../support/run-postern.ts'
import { accepts, type Ready } from '../support/serve.ts'
import { expectJsonLines, expectLocalAddresses } from '../support/start-lines.ts'
import { waitFor } from '../support/wait-for.ts'

const anyPorts = ['--port', '0', '--admin-port', '0', '--sandbox-port', '0']
const running: RunningProcess[] = []
let folder = ''

beforeEach(async () => {
  folder = await mkdtemp(join(dataFolder(), 'postern-start-'))
})
afterEach(async () => {
  await Promise.all(running.splice(0).map((process) => process.destroy()))
  await rm(folder, { recursive: true, force: true })
})

function serve(args: readonly string[] = [], env: Record<string, string> = {}): RunningProcess {
  return noted(startPostern([...serveJson(), ...args], { env }))
}

const serveJson = () => ['serve', ...anyPorts, '--data', join(folder, 'data'), '--json']

function noted(process: RunningProcess): RunningProcess {
  running.push(process)
  return process
}

async function ready(process: RunningProcess): Promise<Ready> {
  return JSON.parse(await process.line((line) => line.includes('"event":"ready"'))) as Ready
}

async function aTakenPort(): Promise<number> {
  const other = createServer()
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => new Promise<void>((resolve) => other.close(() => resolve())))
  return (other.address() as { port: number }).port
}

/** The same in the process of this test, for a start that ends before it serves anything. */
function serveHere(args: readonly string[] = [], env: Record<string, string> = {}): RunningCommand {
  return startHere([...serveJson(), ...args], { env })
}

async function refusal(server: RunningCommand): Promise<string> {
  const code = await server.ended
  expect(code).toBeTypeOf('number')
  expect(code).not.toBe(0)
  expect(server.output.stdout).toBe('')
  const sentences = server.output.stderr.split('\n').flatMap((line) => {
    const { error } = line.startsWith('{"error"') ? (JSON.parse(line) as { error: { message: string } }) : {}
    return error ? [`postern: ${error.message}`] : []
  })
  expect(sentences, server.output.stderr).toHaveLength(1)
  expect(server.output.stderr).not.toMatch(/\n\s+at /)
  return sentences[0] ?? ''
}

/** The other tests run a bundle of the same sources. */
describe('the sources, started by npm', { timeout: processTimeoutMs }, () => {
  test('print one JSON line when they are ready, and end when npm is told to stop', async () => {
    const npm = noted(startProcess('npm', ['start', '--silent', '--', ...serveJson().slice(1)]))
    const addresses = await ready(npm)
    expectLocalAddresses(addresses)
    expect((await fetch(`${addresses.base_url}/readyz`)).status).toBe(200)
    npm.signal('SIGTERM')
    await waitFor(async () => !(await accepts(addresses.base_url)), 10_000)
    await npm.ended
    expectJsonLines(npm)
  })
})

describe('postern serve', { timeout: processTimeoutMs }, () => {
  let data = ''
  let server: RunningProcess
  beforeAll(async () => {
    data = await mkdtemp(join(dataFolder(), 'postern-start-'))
    server = startPostern([...serveJson(), '--data', data])
  })
  afterAll(async () => {
    await server.destroy()
    await rm(data, { recursive: true, force: true })
  })

  test('answers health, documents and pages; metrics on the admin listener only', async () => {
    const { base_url, admin_url } = await ready(server)
    const statusOf = async (url: string) => (await fetch(url)).status
    expect(await statusOf(`${base_url}/livez`)).toBe(200)
    expect(await statusOf(`${base_url}/readyz`)).toBe(200)
    expect(await statusOf(`${base_url}/metrics`)).toBe(404)
    const metrics = await fetch(`${admin_url}/metrics`)
    expect(metrics.status).toBe(200)
    const page = await metrics.text()
    expect(page).toMatch(/^# HELP /m)
    // One of the gauges that are read when the metrics are read.
    expect(page).toMatch(/^postern_disk_free_bytes [1-9]/m)
    const health = (await (await fetch(`${admin_url}/readyz?verbose`)).json()) as { checks: { name: string }[] }
    expect(health.checks.map(({ name }) => name)).toContain('database')
    const document = (await (await fetch(`${base_url}/openapi.json`)).json()) as { openapi: string }
    expect(document.openapi).toMatch(/^3\.1\./)
    for (const page of ['/docs/api', '/docs/errors']) {
      const answer = await fetch(`${base_url}${page}`)
      expect(answer.status, page).toBe(200)
      expect(answer.headers.get('content-type'), page).toContain('text/html')
      expect(await answer.text(), page).not.toMatch(/<script [^>]*src|(src|href)="https?:/)
    }
  })

  test('makes a master key that nobody else can read, and tells it nobody', async () => {
    await ready(server)
    const file = join(data, 'master.key')
    expect((await stat(file)).mode & 0o077).toBe(0)
    expect(server.output.stderr + server.output.stdout).not.toContain((await readFile(file, 'utf8')).trim())
  })

  test('keeps a second server off its data folder, with one sentence and no stack', async () => {
    await ready(server)
    const sentence = await refusal(serve(['--data', data]))
    expect(sentence).toContain(data)
    expect(sentence).toContain('--data')
  })

  test('as a worker answers for its health and has no API', async () => {
    const { base_url } = await ready(serve(['--role', 'worker']))
    expect((await fetch(`${base_url}/livez`)).status).toBe(200)
    const refused = await fetch(`${base_url}/v1/auth/token`, { method: 'POST' })
    expect([refused.status, await refused.json()]).toMatchObject([404, { error: { code: 'endpoint_not_found' } }])
  })

  // The last test of this server.
  test('starts again on the data of a server that was killed', async () => {
    await ready(server)
    server.signal('SIGKILL')
    expect(await server.ended).toBe('SIGKILL')
    const { base_url } = await ready(serve(['--data', data]))
    expect((await fetch(`${base_url}/readyz`)).status).toBe(200)
  })
})

describe('postern serve with a base URL of this machine', { timeout: processTimeoutMs }, () => {
  test('warns when it names another port, and says what to do', async () => {
    const port = String(await aFreePort())
    const server = serve(['--port', port], { POSTERN_BASE_URL: 'http://localhost:8080' })
    await ready(server)
    await server.destroy()
    const [line = '', ...more] = server.output.stderr.split('\n').filter((one) => one.includes('POSTERN_BASE_URL'))
    expect(more).toEqual([])
    expect((JSON.parse(line) as { msg: string }).msg).toBe(
      `POSTERN_BASE_URL is http://localhost:8080, but this gateway listens on port ${port}: the console link and all samples point to port 8080. Unset POSTERN_BASE_URL, or set it to http://localhost:${port}, unless a proxy on this machine forwards port 8080.`,
    )
  })

  test.each([
    ['warns on a port that the system chooses', '0', 'http://127.0.0.1:8080', true],
    ['says nothing when it is its own address', '8090', 'http://localhost:8090', false],
    ['says nothing when it is a public one', '8090', 'https://chat.example.test', false],
  ])('%s', (_, port, baseUrl, isStray) => {
    const env = { POSTERN_BASE_URL: baseUrl, POSTERN_LISTEN: `127.0.0.1:${port}` }
    expect(strayBaseUrl(loadConfig({ env, terminal: false }).config) !== null).toBe(isStray)
  })
})

describe('postern serve refuses to start, with one sentence and no stack,', { timeout: processTimeoutMs }, () => {
  test('when it may not migrate and the schema is behind', async () => {
    expect(await refusal(serve(['--no-migrate']))).toContain("run 'postern migrate up' first")
  })

  test('when the address of the database is not one', async () => {
    const env = { POSTERN_DATABASE_URL: 'postgres://u:p@a.test:5432,/postern' }
    expect(await refusal(serveHere([], env))).toContain('name a server, or several with commas between them')
  })

  // One as a process: what was opened before the listener must not keep it from ending.
  test.each([
    ['--port', serve],
    ['--admin-port', serveHere],
    ['--sandbox-port', serveHere],
  ] as const)('when a port is taken, and names the flag that chooses another: %s', async (flag, start) => {
    const port = await aTakenPort()
    expect(await refusal(start([flag, String(port)]))).toBe(
      `postern: Port ${port} is in use by another program: stop it, or choose another port with ${flag}.`,
    )
  })

  test('when the port of the balancer is taken: npm run cluster', async () => {
    const port = await aTakenPort()
    const env = {
      PORT: String(port),
      POSTERN_DATABASE_URL: 'postgres://127.0.0.1:1/x',
      POSTERN_MASTER_KEY: 'a'.repeat(64),
    }
    const cluster = noted(
      startProcess(process.execPath, [join(import.meta.dirname, '../../scripts/cluster.ts')], { env }),
    )
    expect(await cluster.ended).toBe(1)
    expect(cluster.output.stderr).toBe(
      `Port ${port} is taken by another program: stop it, or choose another: PORT=9000 npm run cluster\n`,
    )
  })

  test('when the data folder cannot be written', async () => {
    const file = join(folder, 'a-file')
    await writeFile(file, '')
    expect(await refusal(serveHere(['--data', join(file, 'data')]))).toContain('--data')
  })

  test('when the database cannot be reached', async () => {
    const sentence = await refusal(serveHere([], { POSTERN_DATABASE_URL: 'postgres://gateway:hunter2@127.0.0.1:1/x' }))
    expect(sentence).toMatch(/database/i)
    expect(sentence).not.toContain('hunter2')
  })

  test('when a setting is misspelt, and names the one that was meant', async () => {
    const sentence = await refusal(serveHere([], { POSTERN_LISTN: '127.0.0.1:0' }))
    expect(sentence).toContain('POSTERN_LISTN')
    expect(sentence).toContain('POSTERN_LISTEN')
  })

  test('when the data were written by a newer version', async () => {
    const { folder: data, remove } = await freshDatabase('sqlite')
    onTestFinished(remove)
    const db = new DatabaseSync(join(data, 'postern.db'))
    db.exec(
      "insert into schema_migrations (id, name, checksum, applied_at) values (9999, 'from-the-future', 'none', 0)",
    )
    db.close()
    expect(await refusal(serveHere(['--data', data]))).toMatch(/newer/)
  })
})
