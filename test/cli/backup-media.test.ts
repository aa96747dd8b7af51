import { cpSync, readdirSync, readFileSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, inject, test } from 'vitest'
import { processTimeoutMs } from '../support/child-process.ts'
import { engines, freshDatabase } from '../support/postgres/databases.ts'
import { cloneDatabase } from '../support/postgres/postgres-databases.ts'
import { aPlayground, type Gateway, type Playground, stop, tokenOf } from '../support/serve.ts'
import { waitFor } from '../support/wait-for.ts'

const film = Buffer.from('\0\0\0\x18ftypisom\0\0\0\0isomiso2', 'latin1')
const files = [
  ['image', 'dot.jpg', Buffer.from('\xff\xd8\xff\xe0rest', 'latin1')],
  [
    'image',
    'dot.png',
    Buffer.from(
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
      'base64',
    ),
  ],
  ['document', 'page.pdf', Buffer.from('%PDF-1.7\n')],
  ['audio', 'tone.mp3', Buffer.from('ID3\x04\0\0')],
  ['audio', 'tone.ogg', Buffer.from('OggS\0\x02OpusHead')],
  ['video', 'film.mp4', film],
] as const
const deadlineMs = 30_000
const inbound = ['image', 'sticker', 'video', 'audio', 'document']

test.each(engines)(
  'a gateway on %s restored from its backup has media of every kind, sent and received',
  { timeout: processTimeoutMs },
  async (engine) => {
    const database = await freshDatabase(engine)
    const play = await aPlayground()
    const other = await aPlayground()
    const env = database.database.kind === 'postgres' ? { POSTERN_DATABASE_URL: database.database.url } : {}
    const gateway = await play.serve([], env)
    const { api_key = '', api_secret = '' } = gateway.firstRun ?? {}
    const token = await tokenOf(gateway.base_url, { api_key, api_secret })
    const ids = await sendAndReceive(gateway, token)
    const before = await contentsOf(gateway, token, ids)
    expect(before.size).toBe(files.length + inbound.length)
    const sandbox = filesBelow(join(play.dataDir, 'sandbox.json.media'))
    expect(sandbox.length).toBe(files.length + inbound.length)

    const moved = database.database.kind === 'postgres' ? copyPostgres : copySqlite
    const { env: copyEnv, drop } = await moved(play, other, gateway, database)
    const second = await other.serve([], copyEnv)
    expect(second.firstRun).toBeNull()
    const again = await contentsOf(second, await tokenOf(second.base_url, { api_key, api_secret }), ids)
    expect(again).toEqual(before)
    expect(filesBelow(join(other.dataDir, 'sandbox.json.media'))).toEqual(sandbox)
    await stop(second)
    await other.dispose()
    await play.dispose()
    await drop()
    await database.remove()
  },
)

type Database = Awaited<ReturnType<typeof freshDatabase>>
type Copy = { env: Record<string, string>; drop(): Promise<void> }

/** With our own commands, while the gateway runs. */
async function copySqlite(play: Playground, other: Playground, gateway: Gateway): Promise<Copy> {
  const file = join(play.folder, 'postern.tar')
  const made = await play.runHere(['backup', file])
  expect(made.code, made.stderr).toBe(0)
  await stop(gateway)
  await mkdir(other.dataDir, { recursive: true })
  cpSync(join(play.dataDir, 'master.key'), join(other.dataDir, 'master.key'))
  const restored = await other.runHere(['restore', file])
  expect(restored.code, restored.stderr).toBe(0)
  return { env: {}, drop: async () => {} }
}

/** PostgreSQL copies the database; master key and sandbox are files of the data folder, as docs/backup.md says. */
async function copyPostgres(play: Playground, other: Playground, gateway: Gateway, test: Database): Promise<Copy> {
  await stop(gateway)
  cpSync(play.dataDir, other.dataDir, { recursive: true })
  if (test.database.kind !== 'postgres') throw new Error('This is about PostgreSQL.')
  const { url } = test.database
  const original = { url, name: new URL(url).pathname.slice(1), drop: async () => {} }
  const clone = await cloneDatabase(inject('postgresUrl'), original)
  return { env: { POSTERN_DATABASE_URL: clone.url }, drop: () => clone.drop() }
}

/** Every kind is uploaded and sent, so that the sandbox keeps it too, and every kind is written by a customer. */
async function sendAndReceive({ base_url, sandbox_url }: Gateway, token: string): Promise<string[]> {
  const authorization = `Bearer ${token}`
  const from = '+12025550100'
  const json = { authorization, 'content-type': 'application/json' }
  const ids: string[] = []
  for (const type of inbound) {
    const body = JSON.stringify({ from, type })
    expect((await fetch(`${sandbox_url}/_sandbox/inbound`, { method: 'POST', body, headers: json })).ok).toBe(true)
  }
  await waitFor(async () => {
    const list = await fetch(`${base_url}/v1/events?type=message.received&limit=50`, { headers: { authorization } })
    const { data } = (await list.json()) as {
      data: { events: { data: { content: { media: { media_id: string } } } }[] }
    }
    ids.splice(0, Infinity, ...data.events.map((event) => event.data.content.media.media_id))
    return ids.length === inbound.length
  }, deadlineMs)
  for (const [type, name, bytes] of files) {
    const form = new FormData()
    form.set('file', new Blob([bytes]), name)
    const uploaded = await fetch(`${base_url}/v1/chat/media`, {
      method: 'POST',
      headers: { authorization },
      body: form,
    })
    const { data } = (await uploaded.json()) as { data: { media_id: string } }
    ids.push(data.media_id)
    const body = JSON.stringify({ to: from, type, media_id: data.media_id })
    const sent = await fetch(`${base_url}/v1/chat/messages/media`, { method: 'POST', headers: json, body })
    expect(sent.status, await sent.text()).toBe(200)
  }
  return ids
}

async function contentsOf({ base_url }: Gateway, token: string, ids: string[]): Promise<Map<string, string>> {
  const contents = new Map<string, string>()
  for (const id of ids) {
    // A file of a customer is fetched from the platform soon after its message.
    await waitFor(async () => {
      const url = `${base_url}/v1/chat/media/${id}/content`
      const response = await fetch(url, { headers: { authorization: `Bearer ${token}` } })
      if (response.ok) contents.set(id, Buffer.from(await response.arrayBuffer()).toString('base64'))
      return response.ok
    }, deadlineMs)
  }
  return contents
}

function filesBelow(folder: string): [string, string][] {
  return readdirSync(folder)
    .sort()
    .map((name) => [name, readFileSync(join(folder, name), 'base64')])
}
