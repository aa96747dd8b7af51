import { randomBytes } from 'node:crypto'
import { mkdir, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { processTimeoutMs, startProcess } from '../support/child-process.ts'
import { type FaultyDisk, failingWrites, readOnlyFolder, smallDisk } from '../support/disk.ts'
import { diskFolder } from '../support/folders.ts'
import { programFile } from '../support/programs/program-file.ts'
import { recordFigure, scaled } from '../support/proof.ts'
import { aPlayground, type Gateway, type Playground, stop, tokenOf } from '../support/serve.ts'
import { waitFor } from '../support/wait-for.ts'

const proof = 'disk faults'
const rounds = scaled(1)
/** The reader thread moves the log into the database file from 4 MB on. */
const logBytes = 5 * 1024 * 1024

/** What answers from the writer, the reader thread, the connection for single rows, and all of them. */
const reads = ['/v1/chat/messages?limit=5', '/v1/events?limit=5', '/v1/chat/templates?limit=5', '/v1/auth/me']

type Client = {
  get(path: string): Promise<string>
  send(): Promise<string>
  upload(): Promise<string>
  ready(): Promise<number>
}

function clientOf({ base_url }: Gateway, token: string): Client {
  const authorization = `Bearer ${token}`
  const answer = async (path: string, init: RequestInit = {}) => {
    const headers = { authorization, ...init.headers }
    const response = await fetch(`${base_url}${path}`, { ...init, headers })
    const body = (await response.json()) as { error?: { code: string } }
    return `${response.status} ${body.error?.code ?? 'ok'}`
  }
  const json = { 'content-type': 'application/json' }
  // Each to another customer: the limit for one of them is not what is tested.
  let customers = 0
  const body = () => JSON.stringify({ to: `+1202555${2000 + customers++}`, template: 'hello_world', language: 'en_US' })
  const form = () => {
    const file = new FormData()
    file.append('file', new Blob(['%PDF-1.7 ', randomBytes(4_000)]), 'a.pdf')
    return file
  }
  return {
    get: (path) => answer(path),
    send: () => answer('/v1/chat/messages/template', { method: 'POST', headers: json, body: body() }),
    upload: () => answer('/v1/chat/media', { method: 'POST', body: form() }),
    ready: async () => (await fetch(`${base_url}/readyz`)).status,
  }
}

/**
 * Makes the log long enough for a checkpoint that has much to write, and holds it up; returns what lets it go on. An own
 * table stands in for a hundred sends.
 */
function fillLog(dataDir: string): () => void {
  const path = join(dataDir, 'postern.db')
  const onlooker = new DatabaseSync(path, { readOnly: true })
  const filler = new DatabaseSync(path, { timeout: 5_000 })
  // A log that was long before keeps its room on a full disk, and writes go on in it.
  filler.exec('pragma wal_checkpoint(truncate)')
  onlooker.exec('begin')
  onlooker.prepare('select count(*) from messages').get()
  filler.exec('create table if not exists filler (content blob)')
  filler.prepare('insert into filler values (randomblob(?))').run(logBytes)
  filler.close()
  return () => onlooker.close()
}

async function expectAsBefore(client: Client): Promise<void> {
  await waitFor(async () => (await client.ready()) === 200)
  expect([await client.send(), await client.upload()]).toEqual(['200 ok', '201 ok'])
  for (const path of reads) expect(`${path} ${await client.get(path)}`).toBe(`${path} 200 ok`)
}

type Case = { playground: Playground; gateway: Gateway; client: Client; disks: Record<string, FaultyDisk> }

/** A gateway, and the disks that its data folder can stand on, by what happens to them. */
async function aCase(makeDisks: (folder: string) => Promise<Case['disks']>): Promise<Case> {
  const playground = await aPlayground(diskFolder())
  await mkdir(playground.dataDir)
  const disks = await makeDisks(playground.dataDir)
  const gateway = await playground.serve([], { POSTERN_LOG_LEVEL: 'warn' })
  const token = await tokenOf(gateway.base_url, gateway.firstRun ?? {})
  return { playground, disks, gateway, client: clientOf(gateway, token) }
}

describe('a gateway whose disk', { timeout: processTimeoutMs * rounds }, () => {
  let cases: Case[] = []
  const caseOf = (name: string) => cases.find(({ disks }) => name in disks) as Case

  beforeAll(async () => {
    cases = await Promise.all([
      // Without the right to mount, the limit on files stands in.
      aCase(async (folder) => ({ 'is full': (await smallDisk(folder, 64)) ?? failingWrites() })),
      // A file system in memory cannot be made read-only under open files, so these two have another.
      aCase(async (folder) => ({
        'fails every write': failingWrites(),
        'is read-only': (await readOnlyFolder(folder)) ?? failingWrites(),
      })),
    ])
  }, processTimeoutMs)
  afterAll(async () => {
    for (const { playground, disks } of cases) {
      for (const disk of Object.values(disks)) await disk.remove()
      await playground.dispose()
    }
  })

  test.each(['is full', 'fails every write', 'is read-only'])(
    '%s says so, and answers as before within 5 s after that is over',
    async (name) => {
      const { playground, disks, gateway, client } = caseOf(name)
      const disk = disks[name] as FaultyDisk
      const { pid } = gateway.process
      let longestMs = 0
      for (let round = 0; round < rounds; round++) {
        // A first probe that succeeds: the second one must notice as well as the first.
        expect(await client.ready()).toBe(200)
        const letGo = fillLog(playground.dataDir)
        await disk.fail(pid)
        letGo()
        await waitFor(async () => (await client.ready()) === 503)
        expect(await answersFor(client, 700)).toEqual([])
        expect([await client.send(), await client.upload()]).toEqual(Array(2).fill('500 service_unavailable'))
        expect(await client.ready()).toBe(503)
        await disk.heal(pid)
        const healedAt = performance.now()
        await expectAsBefore(client)
        longestMs = Math.max(longestMs, performance.now() - healedAt)
        expect(longestMs).toBeLessThan(5_000)
      }
      recordFigure(proof, `${name}: times it failed`, rounds)
      recordFigure(proof, `${name}: ms until every route answered as before, at most`, Math.round(longestMs))
    },
  )

  test('is shared keeps what is in its data folder readable by its owner alone', async () => {
    const { playground } = caseOf('fails every write')
    const entries = await readdir(playground.dataDir, { recursive: true, withFileTypes: true })
    const open: string[] = []
    for (const { parentPath, name } of entries) {
      const { mode } = await stat(join(parentPath, name))
      if ((mode & 0o077) !== 0) open.push(`${(mode & 0o777).toString(8)} ${name}`)
    }
    expect(entries.map(({ name }) => name)).toContain('postern.db-wal')
    expect(open).toEqual([])
  })

  test('takes no writes is not started on: one sentence says what is wrong', async () => {
    const { playground, gateway } = caseOf('fails every write')
    await stop(gateway)
    const command = [programFile('postern'), 'serve', '--port', '0', '--admin-port', '0', '--data', playground.dataDir]
    const second = startProcess('prlimit', ['--fsize=0:', process.execPath, ...command])
    try {
      expect(await second.ended).toBe(1)
      expect(second.output.stderr).toContain('The disk of the data folder fails (')
      expect(second.output.stderr).not.toMatch(/^\s+at /m)
    } finally {
      await second.destroy()
    }
  })
})

/**
 * Asks everything, for longer than two rounds of the reader thread's checkpoint (250 ms), each of which fails. Returns
 * what is neither an answer nor the documented refusal.
 */
async function answersFor(client: Client, ms: number): Promise<string[]> {
  const answers = new Set<string>()
  const until = performance.now() + ms
  while (performance.now() < until) {
    for (const path of reads) answers.add(await client.get(path))
    answers.add(await client.send())
    answers.add(await client.upload())
  }
  return [...answers].filter((answer) => !['200 ok', '201 ok', '500 service_unavailable'].includes(answer))
}
