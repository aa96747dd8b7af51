import {
  copyFileSync,
  createReadStream,
  createWriteStream,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { packTar, unpackTar } from 'modern-tar/fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { processTimeoutMs } from '../support/child-process.ts'
import { freshDatabase } from '../support/postgres/databases.ts'
import { aPlayground, type Gateway, type Playground, stop, tokenOf } from '../support/serve.ts'

const picture = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

describe('a backup', { timeout: processTimeoutMs }, () => {
  let play: Playground
  let gateway: Gateway
  let credentials: { api_key: string; api_secret: string }
  let mediaId: string
  let file: string
  let made: Record<string, unknown>
  const sentBefore: string[] = []

  beforeAll(async () => {
    play = await aPlayground()
    file = join(play.folder, 'postern.tar')
    gateway = await play.serve()
    const { api_key = '', api_secret = '' } = gateway.firstRun ?? {}
    credentials = { api_key, api_secret }
    const token = await tokenOf(gateway.base_url, credentials)
    mediaId = await upload(gateway, token)
    for (let index = 0; index < 5; index++) sentBefore.push(await send(gateway, token, `before ${index}`))
    // The gateway goes on sending while the backup is made.
    let busy = true
    const sending = (async () => {
      for (let index = 0; busy && index < 30; index++) await send(gateway, token, 'meanwhile')
    })()
    // As a process: the mode of the file comes from the mask of the program.
    const outcome = await play.run(['backup', file, '--json'])
    busy = false
    await sending
    expect(outcome.code, outcome.stderr).toBe(0)
    made = outcome.json
  }, processTimeoutMs)
  afterAll(async () => {
    await stop(gateway)
    await play.dispose()
  })

  /** A folder of another machine, with the key of the first unless told otherwise. */
  async function elsewhere(withKey = true): Promise<Playground> {
    const other = await aPlayground()
    await mkdir(other.dataDir, { recursive: true })
    if (withKey) copyFileSync(join(play.dataDir, 'master.key'), join(other.dataDir, 'master.key'))
    return other
  }

  test('made while messages are sent holds what was there, for its owner only, and no key', async () => {
    expect(made).toMatchObject({
      file,
      files: 3,
      records: { accounts: 1, media: 1 },
      master_key_id: expect.any(String),
    })
    expect((made.records as { messages: number }).messages).toBeGreaterThanOrEqual(5)
    expect(statSync(file).mode & 0o777).toBe(0o600)
    const key = readFileSync(join(play.dataDir, 'master.key'), 'utf8').trim()
    const bytes = readFileSync(file)
    expect([bytes.includes(key), bytes.includes(Buffer.from(key, 'hex'))]).toEqual([false, false])
    expect(readdirSync(play.dataDir).filter((name) => /staging|part/.test(name))).toEqual([])
  })

  test('restored elsewhere is the same gateway: keys, messages and files', async () => {
    const other = await elsewhere()
    const restored = await other.runHere(['restore', file, '--json'])
    expect(restored.code, restored.stderr).toBe(0)
    expect(restored.json).toMatchObject({ records: made.records, made_at: made.made_at, replaced: null })
    const second = await other.serve()
    expect(second.firstRun).toBeNull()
    // The secret of the key is checked with a value that only the master key opens.
    const token = await tokenOf(second.base_url, credentials)
    const authorization = `Bearer ${token}`
    for (const id of sentBefore) {
      const found = await fetch(`${second.base_url}/v1/chat/messages/${encodeURIComponent(id)}`, {
        headers: { authorization },
      })
      const { data } = (await found.json()) as { data: { message_id: string } }
      expect(data.message_id).toBe(id)
    }
    const content = await fetch(`${second.base_url}/v1/chat/media/${mediaId}/content`, { headers: { authorization } })
    expect(Buffer.from(await content.arrayBuffer()).equals(picture)).toBe(true)
    // And it goes on working: the simulated platform knows the number still.
    expect(await send(second, token, 'after')).toMatch(/^wamid\./)
    await stop(second)
    await other.dispose()
  })

  test('is never written over another, unless that is asked for', async () => {
    const size = statSync(file).size
    const refused = await play.runHere(['backup', file])
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('already exists') })
    expect(statSync(file).size).toBe(size)
    const again = join(play.folder, 'again.tar')
    writeFileSync(again, 'something else')
    expect((await play.runHere(['backup', again, '--force'])).code).toBe(0)
    expect(statSync(again).size).toBeGreaterThan(100_000)
  })

  test('whose place cannot be written says so in one sentence, and leaves nothing there', async () => {
    const taken = join(play.folder, 'taken')
    writeFileSync(taken, '')
    const full = join(play.folder, 'full.tar')
    symlinkSync('/dev/full', `${full}.part`)
    const before = readdirSync(play.dataDir).sort()
    for (const [to, says] of [
      [join(play.folder, 'missing', 'x.tar'), `the folder ${join(play.folder, 'missing')} does not exist.`],
      [join(taken, 'x.tar'), `${taken} is not a folder.`],
      // Nobody may make a file there, not even root.
      ['/sys/x.tar', 'this user has no permission to write /sys/x.tar.'],
      [full, `${full} does not fit on its disk.`],
    ]) {
      const { code, stderr } = await play.runHere(['backup', String(to)])
      expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining(`No backup was made: ${says}`) })
      expect(stderr.trim().split('\n')).toHaveLength(1)
    }
    expect(await play.runHere(['backup', play.folder, '--force'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(`${play.folder} is a folder`),
    })
    expect(readdirSync(play.dataDir).sort()).toEqual(before)
    expect(readdirSync(play.folder).filter((name) => /missing|full|part/.test(name))).toEqual([])
  })

  test('is not restored under a running gateway, nor over data, unless they may be put aside', async () => {
    expect(await play.runHere(['restore', file, '--force'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("Another 'postern serve'"),
    })
    const other = await elsewhere()
    expect((await other.runHere(['restore', file])).code).toBe(0)
    const refused = await other.runHere(['restore', file])
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('already contains data') })
    const forced = await other.runHere(['restore', file, '--force', '--json'])
    expect(forced.code, forced.stderr).toBe(0)
    expect(existsSync(join(String(forced.json.replaced), 'postern.db'))).toBe(true)
    expect(existsSync(join(other.dataDir, 'postern.db'))).toBe(true)
    await other.dispose()
  })

  test('does not mix with what is left of other data: it is put aside too', async () => {
    const other = await elsewhere()
    await mkdir(join(other.dataDir, 'media', 'ab'), { recursive: true })
    writeFileSync(join(other.dataDir, 'media', 'ab', 'abandoned'), 'left over')
    writeFileSync(join(other.dataDir, 'postern.db-wal'), 'a log of other data')
    expect(await other.runHere(['restore', file])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('already contains data'),
    })
    const forced = await other.runHere(['restore', file, '--force', '--json'])
    expect(forced.code, forced.stderr).toBe(0)
    expect(readdirSync(String(forced.json.replaced)).sort()).toEqual(['media', 'postern.db-wal'])
    expect(existsSync(join(other.dataDir, 'media', 'ab', 'abandoned'))).toBe(false)
    expect(existsSync(join(other.dataDir, 'postern.db-wal'))).toBe(false)
    await other.dispose()
  })

  test('of another master key is refused before anything is touched, and without one here it says what is missing', async () => {
    const other = await elsewhere(false)
    writeFileSync(join(other.dataDir, 'master.key'), `${'d'.repeat(64)}\n`)
    const refused = await other.runHere(['restore', file])
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('needs another master key') })
    expect(readdirSync(other.dataDir).sort()).toEqual(['master.key', 'serve.lock.db'])
    rmSync(join(other.dataDir, 'master.key'))
    const restored = await other.runHere(['restore', file])
    expect(restored).toMatchObject({ code: 0, stdout: expect.stringContaining('Provide its master key') })
    await other.dispose()
  })

  test.each([
    [
      'cut short',
      async (from: string, to: string) => writeFileSync(to, readFileSync(from).subarray(0, 200_000)),
      /damaged|cannot be unpacked/,
    ],
    ['no archive', async (_: string, to: string) => writeFileSync(to, 'hello'), /not a Postern backup/],
    ['changed in one place', flipByte, /damaged: postern\.db/],
    [
      'of a later version',
      async (from: string, to: string) => repack(from, to, (text) => text.replace(/"schema": \d+/, '"schema": 9999')),
      /upgrade first/,
    ],
    [
      'of a later format',
      async (from: string, to: string) => repack(from, to, (text) => text.replace('"format": 1', '"format": 2')),
      /format 2/,
    ],
  ])('%s is refused, and the folder is left as it was', async (_, damage, says) => {
    const other = await elsewhere()
    const bad = join(other.folder, 'bad.tar')
    await damage(file, bad)
    const refused = await other.runHere(['restore', bad])
    expect(refused.code).toBe(1)
    expect(refused.stderr).toMatch(says)
    expect(readdirSync(other.dataDir).sort()).toEqual(['master.key', 'serve.lock.db'])
    await other.dispose()
  })
})

test('on PostgreSQL both say which of its tools to use', { timeout: processTimeoutMs }, async () => {
  const database = await freshDatabase('postgres')
  const play = await aPlayground()
  if (database.database.kind !== 'postgres') throw new Error('This is about PostgreSQL.')
  const env = { POSTERN_DATABASE_URL: database.database.url }
  expect(await play.runHere(['backup', join(play.folder, 'x.tar')], env)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('pg_dump'),
  })
  expect(await play.runHere(['restore', join(play.folder, 'x.tar')], env)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('pg_restore'),
  })
  await play.dispose()
  await database.remove()
})

async function send({ base_url }: Gateway, token: string, message: string): Promise<string> {
  const response = await fetch(`${base_url}/v1/chat/messages/send`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ to: '+12025550100', message }),
  })
  const body = (await response.json()) as { data: { message_id: string } | null }
  if (!body.data) throw new Error(`Not sent: ${response.status} ${JSON.stringify(body)}`)
  return body.data.message_id
}

async function upload({ base_url }: Gateway, token: string): Promise<string> {
  const form = new FormData()
  form.set('file', new Blob([picture], { type: 'image/png' }), 'dot.png')
  const response = await fetch(`${base_url}/v1/chat/media`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    body: form,
  })
  const { data } = (await response.json()) as { data: { media_id: string } }
  return data.media_id
}

async function flipByte(from: string, to: string): Promise<void> {
  const bytes = readFileSync(from)
  // In the middle: inside the database, which is most of the file.
  const at = bytes.length >> 1
  bytes[at] = (bytes[at] ?? 0) ^ 0xff
  writeFileSync(to, bytes)
}

/** The same archive with another manifest. */
async function repack(from: string, to: string, change: (manifest: string) => string): Promise<void> {
  const folder = `${to}.folder`
  await pipeline(createReadStream(from), unpackTar(folder))
  const manifest = join(folder, 'manifest.json')
  writeFileSync(manifest, change(readFileSync(manifest, 'utf8')))
  await pipeline(packTar(folder), createWriteStream(to))
}
