/**
 * Measures the server: its files, and those that a text send, a status report and a delivery run through:
 * `node scripts/journeys.ts`. Starts a
 * gateway with its sandbox on SQLite, makes each journey several times, and asks V8 which functions ran. Not
 * counted: what runs as often while nothing happens, what every request runs, and folders that know no journey.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { Session } from 'node:inspector/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { startOwnSandbox } from '../cli/src/own-sandbox.ts'
import { loadConfig } from '../server/src/config/config.ts'
import { publishEvent } from '../server/src/events/publish-event.ts'
import { seededCustomer } from '../server/src/messages/sandbox-phone.ts'
import { createLogger } from '../server/src/observe/log.ts'
import { startService } from '../server/src/service.ts'
import { Unit } from '../server/src/store/engine/unit.ts'
import { importsOf, readSources } from '../test/support/import-graph.ts'
import { tokenOf } from '../test/support/serve.ts'
import { root } from './run-command.ts'

const generic = /^(lib|observe|config|contract|store\/(engine|sqlite|postgres))\//
const sources = pathToFileURL(join(root, 'server/src/')).href
/** After this time the journey is over, also its writes that no one waits for. */
const settleMs = 500
const rounds = 5
const eventType = 'webhook.disabled'
type Calls = Map<string, number>

printSize()
const folder = mkdtempSync(join(tmpdir(), 'postern-journeys-'))
const receiver = createServer((request, response) => request.resume().on('end', () => response.end('{}')))
await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
const { config } = loadConfig({
  terminal: false,
  env: {
    POSTERN_DATA_DIR: folder,
    POSTERN_LISTEN: '127.0.0.1:0',
    POSTERN_ADMIN_LISTEN: '127.0.0.1:0',
    POSTERN_SANDBOX_LISTEN: '127.0.0.1:0',
    POSTERN_WEBHOOK_DEV_ALLOW: '127.0.0.0/8',
    POSTERN_WEBHOOK_VERIFICATION: 'off',
  },
})
const sandbox = await startOwnSandbox(config)
const log = createLogger({ level: 'error', format: 'json' })
const service = await startService(config, log, { sandbox: sandbox?.forService ?? null })
const profiler = new Session()
profiler.connect()
await profiler.post('Profiler.enable')
await profiler.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })

try {
  const { accountId = '', credentials } = service.firstRun ?? {}
  const token = await tokenOf(service.urls.base, { api_key: credentials?.apiKey, api_secret: credentials?.apiSecret })
  const call = async (url: string, body?: object, method = body ? 'POST' : 'GET') => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const response = await fetch(url, { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) })
    if (!response.ok) throw new Error(`${method} ${url}: ${response.status} ${await response.text()}`)
  }
  const api = `${service.urls.base}/v1`
  const control = `${sandbox?.forService.url}/_sandbox`
  const never = 3_600_000
  await call(`${control}/scenario`, { delays: { sent_ms: never, delivered_ms: never, read_ms: never } }, 'PUT')

  const text = () => call(`${api}/chat/messages/send`, { to: seededCustomer, message: 'Hello' })
  const idle = await callsIn(() => delay(settleMs))
  const request = await callsIn(() => call(`${api}/auth/me`))
  const send = await callsIn(text)
  const status = await callsIn(() => call(`${control}/clock`, { advance_ms: never }), text)
  const { port } = receiver.address() as AddressInfo
  await call(`${api}/webhooks`, { url: `http://127.0.0.1:${port}/`, events: [eventType] })
  const delivery = await callsIn(async () => {
    const unit = new Unit()
    publishEvent(service.rt, unit, { accountId, type: eventType, subject: null, sequence: 1, data: {} })
    await service.rt.store.write(unit)
  })
  const everyRequest = filesOf(request, idle)
  print('a request (GET /v1/auth/me)', everyRequest)
  process.stdout.write(`a text send: ${filesOf(send, idle).length} files\n`)
  print('a text send, beyond a request', filesOf(send, idle, everyRequest))
  print('a status report, beyond a request', filesOf(status, idle, everyRequest))
  print('a delivery', filesOf(delivery, idle))
} finally {
  await service.stop()
  await sandbox?.close()
  receiver.close()
  rmSync(folder, { recursive: true, force: true })
}

/** How often functions of each file ran in each of several journeys, after one that fills memories. */
async function callsIn(journey: () => Promise<unknown>, before = async () => {}): Promise<Calls[]> {
  const perRound: Calls[] = []
  for (let round = 0; round <= rounds; round++) {
    await before()
    await delay(settleMs)
    await profiler.post('Profiler.takePreciseCoverage')
    await journey()
    await delay(settleMs)
    const { result } = await profiler.post('Profiler.takePreciseCoverage')
    const counts = result.map(({ url, functions }): [string, number] => [url, countOf(functions)])
    if (round > 0) perRound.push(new Map(counts.filter(([url]) => url.startsWith(sources))))
  }
  return perRound
}

function countOf(functions: readonly { ranges: { count: number }[] }[]): number {
  return functions.flatMap(({ ranges }) => ranges).reduce((sum, { count }) => sum + count, 0)
}

/** Files that ran in every journey, and more often than in any time as long without one. */
function filesOf(journeys: readonly Calls[], idle: readonly Calls[], except: readonly string[] = []): string[] {
  const counts = (rounds: readonly Calls[], url: string) => rounds.map((calls) => calls.get(url) ?? 0)
  return [...(journeys[0]?.keys() ?? [])]
    .filter((url) => Math.min(...counts(journeys, url)) > Math.max(...counts(idle, url)))
    .map((url) => url.slice(sources.length))
    .filter((file) => !generic.test(file) && !except.includes(file))
    .sort()
}

function print(journey: string, files: readonly string[]): void {
  process.stdout.write(`${journey}: ${files.length} files\n`)
  for (const file of files) process.stdout.write(`  ${file}\n`)
}

function printSize(): void {
  const files = readSources(root)
    .filter(({ path }) => path.startsWith('server/src/') && !path.endsWith('.test.ts'))
    .map((file) => ({ ...file, lines: file.text.split('\n').slice(0, -1) }))
  const lengths = files.map(({ lines }) => lines.length).sort((a, b) => a - b)
  const total = lengths.reduce((sum, length) => sum + length, 0)
  const imports = files.reduce((sum, { lines }) => sum + importLines(lines), 0)
  const share = ((100 * imports) / total).toFixed(1)
  const median = lengths[lengths.length >> 1]
  process.stdout.write(`server: ${lengths.length} files, ${total} lines, median ${median}, imports ${share} %\n`)
  const functions = files.flatMap(({ path, lines }) => functionsIn(lines).map((one) => ({ path, ...one })))
  const [largest] = functions.sort((a, b) => b.length - a.length)
  const long = functions.filter(({ length }) => length > 60).length
  process.stdout.write(
    `functions over 60 lines: ${long}; the largest ${largest?.length}, ${largest?.name} in ${largest?.path}\n`,
  )
  const pairs = mutualFolders(files.flatMap(importsOf))
  process.stdout.write(`folders side by side that import each other: ${pairs.length}\n`)
  for (const pair of pairs) process.stdout.write(`  ${pair}\n`)
}

function importLines(lines: readonly string[]): number {
  let count = 0
  let inside = false
  for (const line of lines) {
    inside ||= /^import\b/.test(line)
    if (!inside) continue
    count++
    if (/'$/.test(line)) inside = false
  }
  return count
}

/** The formatter puts the end of a function where its first line begins. */
function functionsIn(lines: readonly string[]): { name: string; length: number }[] {
  return lines.flatMap((line, at) => {
    const [, indent = '', name] = /^( *)(?:export )?(?:async )?function (\w+)/.exec(line) ?? []
    if (name === undefined) return []
    const end = lines.findIndex((other, index) => index > at && other === `${indent}}`)
    return [{ name, length: end - at + 1 }]
  })
}

function mutualFolders(imports: readonly { from: string; to: string }[]): string[] {
  const folderOf = (path: string) => /^server\/src\/([^/]+\/[^/]+)\//.exec(path)?.[1] ?? null
  const pairs = new Set(
    imports.flatMap(({ from, to }) => {
      const [own, other] = [folderOf(from), folderOf(to)]
      return own && other && own !== other ? [`${own} ${other}`] : []
    }),
  )
  return [...pairs].filter((pair) => {
    const [own = '', other = ''] = pair.split(' ')
    return own < other && pairs.has(`${other} ${own}`)
  })
}
