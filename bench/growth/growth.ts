import { statfsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { root, startProcess } from '../../test/support/child-process.ts'
import { diskFolder } from '../../test/support/folders.ts'
import { type PostgresServer, startPostgres } from '../../test/support/postgres/postgres.ts'
import { type GatewayProcess, startGateway } from '../gateway.ts'
import { type Bench, cpuSecondsOf, cpuSecondsOfFamily, type Row, round, type Section } from '../harness.ts'
import { measureBackup } from './backup.ts'
import { createCloner, type TableRows } from './clone-rows.ts'
import { type RawDatabase, rawPostgres, rawSqlite, rowsSince } from './databases.ts'
import { startTraffic, type Traffic } from './real-sends.ts'
import { measureRetention } from './retention.ts'

/**
 * `npm run bench growth` sends 1,000 real messages on each engine, says what one costs, and copies them until there are as
 * many as wanted.
 *
 * - BENCH_ENGINE=sqlite or postgres: on that engine alone.
 * - BENCH_GROWTH=10000,100000,1000000: how many messages there are when it is measured, in rising order; 0 makes no copies.
 * - BENCH_GROWTH_PARTS=reads,backup,retention: what is measured on the copies; `message` for nothing but what one costs.
 * - BENCH_GROWTH_DAY=100000: the messages of the day that retention deletes.
 */
const sizes = (process.env.BENCH_GROWTH ?? '10000,100000').split(',').map(Number)
const allParts = ['reads', 'backup', 'retention']
const parts = process.env.BENCH_GROWTH_PARTS?.split(',') ?? allParts
/** Real messages that are counted, and that the others are copies of. */
const realCount = 1_000
/** More than real messages: copies are of the same. */
const customers = 5_000
/** A day of traffic, less what retention of keys would take away meanwhile. */
const spanMs = 20 * 3_600_000
const bytesPerMessage = 10_000
/** A day of messages that retention finds; all it has to delete is of a day that is over for every table. */
const dayOfMessages = Number(process.env.BENCH_GROWTH_DAY ?? 100_000)
const expiredMs = 402 * 86_400_000

export const growthBench: Bench = {
  name: 'growth',
  summary: 'what a message costs with its statuses and deliveries, and whether that depends on how many there are',
  async run() {
    const unknown = parts.filter((part) => part !== 'message' && !allParts.includes(part))
    if (unknown.length > 0) throw new Error(`BENCH_GROWTH_PARTS: there is no part ${unknown.join(', ')}.`)
    const largest = Math.max(...sizes)
    // A backup and what is restored from it take about as much again, each.
    const needed = ((parts.includes('backup') ? 3 : 1) * largest + dayOfMessages) * bytesPerMessage
    const { bavail, bsize } = statfsSync(diskFolder())
    const gigabytes = (bytes: number) => `${(bytes / 1e9).toFixed(1)} GB`
    process.stderr.write(
      `${largest} messages need up to ${gigabytes(needed)} in ${diskFolder()}, ${gigabytes(bavail * bsize)} are free\n`,
    )
    if (needed > bavail * bsize * 0.9) throw new Error('That is too much: lower BENCH_GROWTH.')
    const wanted = process.env.BENCH_ENGINE
    return [
      ...(wanted === 'postgres' ? [] : await onEngine('SQLite')),
      ...(wanted === 'sqlite' ? [] : await onEngine('PostgreSQL')),
    ]
  },
}

async function onEngine(engine: 'SQLite' | 'PostgreSQL'): Promise<Section[]> {
  const postgres = engine === 'PostgreSQL' ? await startPostgres({ durable: true }) : undefined
  try {
    return await measure(engine, postgres)
  } finally {
    await postgres?.stop()
  }
}

type Place = { gateway: GatewayProcess; traffic: Traffic; database: RawDatabase; cpu: () => number }

async function measure(engine: string, postgres: PostgresServer | undefined): Promise<Section[]> {
  const gateway = await startGateway(postgres, { customers })
  const database = gateway.databaseUrl
    ? await rawPostgres(gateway.databaseUrl)
    : rawSqlite(join(gateway.folder, 'postern.db'))
  const traffic = await startTraffic(gateway, { customers })
  const cpu = () => cpuSecondsOf(gateway.pid) + (postgres ? cpuSecondsOfFamily(postgres.pid) : 0)
  const place = { gateway, traffic, database, cpu }
  try {
    const live = await measureLive(place)
    const rows: Row[] = []
    let copies = 0
    let disk: Row[] = []
    for (const size of sizes) {
      const before = await database.bytesByTable()
      const startedAt = performance.now()
      const wanted = Math.max(0, Math.ceil(size / realCount) - 1)
      await copyRows(database, live.real, { from: copies, to: wanted, backMs: 60_000 })
      const messages = (wanted - copies) * realCount
      copies = wanted
      const after = await database.bytesByTable()
      if (messages > 0) disk = byTable(before, after, messages)
      process.stderr.write(`${engine}: ${size} messages after ${round((performance.now() - startedAt) / 1_000, 0)} s\n`)
      rows.push({
        messages: size,
        'kB a message, by the copies': kilobytes(before, after, messages),
        ...(parts.includes('reads') ? await measureAt(place) : {}),
      })
    }
    const backup = parts.includes('backup') ? [await measureBackup(gateway, postgres)] : []
    const retention: Row[] = []
    if (parts.includes('retention')) {
      const to = copies + Math.ceil(dayOfMessages / realCount)
      await copyRows(database, live.real.map(withoutContent), { from: copies, to, backMs: expiredMs })
      process.stderr.write(`${engine}: a day of ${dayOfMessages} messages is to be deleted\n`)
      retention.push(await measureRetention(gateway, traffic, cpu))
    }
    const sections = [
      { title: `${engine}: one message with its statuses and deliveries, of ${realCount} real ones`, rows: [live.row] },
      { title: `${engine}: disk by table, kB a message, as real messages leave it`, rows: live.disk },
      { title: `${engine}: the same, by the copies`, rows: disk },
      { title: `${engine}: CPU of the gateway and its database, ms for each`, rows: transposed(rows) },
      { title: `${engine}: backup and restore of ${Math.max(...sizes)} messages`, rows: backup },
      { title: `${engine}: retention of a day of ${dayOfMessages} messages, while messages are sent`, rows: retention },
    ]
    return sections.filter((section) => section.rows.length > 0)
  } finally {
    await traffic.stop()
    await database.close()
    await gateway.stop()
  }
}

async function measureLive({ traffic, database, cpu }: Place) {
  await traffic.messages(200)
  await database.settle()
  const counts = await database.counts()
  const [disk, log, updates] = [await database.bytesByTable(), await database.logBytes(), await database.updates()]
  const cpuBefore = cpu()
  await traffic.messages(realCount)
  const cpuSeconds = cpu() - cpuBefore
  const [logAfter, updatesAfter] = [await database.logBytes(), await database.updates()]
  const real = await rowsSince(database, counts, realCount)
  await database.settle()
  const after = await database.bytesByTable()
  const rowsAMessage = real.reduce((sum, { rows }) => sum + rows.length, 0) / realCount
  return {
    real,
    row: {
      'rows a message': round(rowsAMessage, 1),
      'kB of disk': kilobytes(disk, after, realCount),
      'kB of log': log === null || logAfter === null ? '' : round((logAfter - log) / realCount / 1_000, 1),
      'updates a message': updates && updatesAfter ? round((updatesAfter.all - updates.all) / realCount, 1) : '',
      'of these on their page':
        updates && updatesAfter
          ? `${Math.round(((updatesAfter.hot - updates.hot) / (updatesAfter.all - updates.all)) * 100)} %`
          : '',
      'CPU ms, all in': round((cpuSeconds / realCount) * 1_000, 2),
    },
    disk: byTable(disk, after, realCount),
  }
}

function byTable(before: ReadonlyMap<string, number>, after: ReadonlyMap<string, number>, messages: number) {
  return [...after]
    .map(([table, bytes]) => ({
      table,
      'kB a message': round((bytes - (before.get(table) ?? 0)) / messages / 1_000, 2),
    }))
    .filter((row) => row['kB a message'] >= 0.05)
    .sort((a, b) => b['kB a message'] - a['kB a message'])
}

type Copies = { from: number; to: number; backMs: number }

/** Copies number `from + 1` to `to` of what is real, over 20 hours that end so long ago. */
async function copyRows(
  database: RawDatabase,
  real: readonly TableRows[],
  { from, to, backMs }: Copies,
): Promise<void> {
  const cloner = createCloner(real)
  for (let number = from + 1; number <= to; number++) {
    // Every copy has a time of its own: of a customer there is one row for each moment that passes for a day.
    const shiftMs = -Math.round(((number - from) / (to - from)) * spanMs) - backMs - number
    for (const table of real) {
      await database.insert({ ...table, rows: cloner.clone(table, number, shiftMs) })
    }
  }
  await database.settle()
  // Copying let no timer run: connections that the gateway closed meanwhile are noticed now.
  await delay(1_000)
}

/** Of a message that is as old as its record may be, the content went long ago. */
function withoutContent(table: TableRows): TableRows {
  const content = table.table === 'messages' ? table.columns.indexOf('content') : -1
  return content < 0 ? table : { ...table, rows: table.rows.map((row) => row.with(content, null)) }
}

async function measureAt({ traffic, gateway, cpu }: Place): Promise<Row> {
  const { client, webhookId } = traffic
  const row: Record<string, number> = {}
  const each = async (name: string, count: number, work: () => Promise<unknown>) => {
    const before = cpu()
    await work()
    row[name] = round(((cpu() - before) / count) * 1_000, 2)
    process.stderr.write(`  ${name}: ${row[name]} ms\n`)
  }
  await traffic.messages(50)
  let ids: string[] = []
  await each('send and its delivery', 500, async () => {
    ids = await traffic.send(500)
  })
  await each('status and its delivery', 500, () => traffic.report(ids, 'delivered'))
  await traffic.quiet()
  for (const [name, path] of Object.entries(reads(webhookId))) {
    await each(name, 50, async () => {
      for (let count = 0; count < 50; count++) {
        const answer = await client.request({ method: 'GET', path, headers: gateway.headers })
        const text = await answer.body.text()
        if (answer.statusCode !== 200) throw new Error(`${path}: ${answer.statusCode} ${text.slice(0, 300)}`)
      }
    })
  }
  row.start = round((await startCpuSeconds(gateway)) * 1_000, 0)
  return row
}

const reads = (webhookId: string): Readonly<Record<string, string>> => ({
  'first page': '/v1/chat/messages?limit=50',
  'of a customer': '/v1/chat/messages?limit=50&phone_number=%2B15550000007',
  'status=read': '/v1/chat/messages?limit=50&status=read',
  'status=failed': '/v1/chat/messages?limit=50&status=failed',
  'type=image': '/v1/chat/messages?limit=50&type=image',
  'template=none_such': '/v1/chat/messages?limit=50&template=none_such',
  'direction=inbound': '/v1/chat/messages?limit=50&direction=inbound',
  feed: '/v1/events?limit=100',
  'deliveries of a webhook': `/v1/webhooks/${webhookId}/deliveries?limit=50`,
  'analytics of 30 days': '/v1/chat/analytics',
})

/** Of a second gateway on the same data, until it is ready. */
async function startCpuSeconds({ folder, databaseUrl }: GatewayProcess): Promise<number> {
  const ports = ['--port', '0', '--admin-port', '0', '--sandbox-port', '0']
  const env = {
    POSTERN_WEBHOOK_DEV_ALLOW: '127.0.0.0/8',
    ...(databaseUrl ? { POSTERN_DATABASE_URL: databaseUrl } : {}),
  }
  const program = [join(root, 'cli/bin/postern.js'), 'serve', ...ports, '--data', folder, '--role', 'api', '--json']
  const server = startProcess(process.execPath, program, { env })
  try {
    await server.line((line) => line.includes('"event":"ready"'), 120_000)
    const seconds = cpuSecondsOf(server.pid)
    server.signal('SIGTERM')
    await Promise.race([server.ended, delay(10_000)])
    return seconds
  } finally {
    await server.destroy()
  }
}

function kilobytes(
  before: ReadonlyMap<string, number>,
  after: ReadonlyMap<string, number>,
  messages: number,
): number | string {
  if (messages <= 0) return ''
  const sum = (sizes: ReadonlyMap<string, number>) => [...sizes.values()].reduce((total, bytes) => total + bytes, 0)
  return round((sum(after) - sum(before)) / messages / 1_000, 1)
}

/** A line for each figure, a column for each size, and how the last compares with the first. */
function transposed(rows: readonly Row[]): Row[] {
  const figures = Object.keys(rows[0] ?? {}).filter((figure) => figure !== 'messages')
  return figures.map((figure) => {
    const values = rows.map((row) => row[figure] ?? '')
    const named = Object.fromEntries(rows.map((row, index) => [`${row.messages} messages`, values[index] ?? '']))
    const [first, last] = [Number(values[0]), Number(values.at(-1))]
    return { figure, ...named, ratio: first > 0 && last > 0 ? round(last / first) : '' }
  })
}
