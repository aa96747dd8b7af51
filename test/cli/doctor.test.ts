import { once } from 'node:events'
import { existsSync, writeFileSync } from 'node:fs'
import { chmod, mkdir, rename } from 'node:fs/promises'
import { createServer } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readOnlyFolder, smallDisk } from '../support/disk.ts'
import { diskFolder } from '../support/folders.ts'
import { startPostgres } from '../support/postgres/postgres.ts'
import { aPlayground, type Playground, stop } from '../support/serve.ts'
import { testCertificates } from '../support/tls.ts'

type Finding = { check: string; status: string; detail: string }

const anyPorts = ['--admin-port', '0', '--sandbox-port', '0']

async function examine(play: Playground, env: Record<string, string> = {}, port = '0'): Promise<Finding[]> {
  const words = ['doctor', '--json', '--port', port, ...anyPorts]
  // Options of Node itself, such as a file that is loaded first, need a process.
  const { code, json } = await (env.NODE_OPTIONS === undefined ? play.runHere(words, env) : play.run(words, env))
  const findings = json.findings as Finding[]
  const sound = findings.every(({ status }) => status !== 'problem')
  expect([code, json.ok]).toEqual(sound ? [0, true] : [1, false])
  return findings
}

async function problemsOf(...asked: Parameters<typeof examine>): Promise<string[]> {
  const problems = (await examine(...asked)).filter(({ status }) => status === 'problem')
  return problems.map(({ check, detail }) => `${check}: ${detail}`)
}

describe('postern doctor', { timeout: 120_000 }, () => {
  let play: Playground
  /** Any program but ours. */
  const other = createServer((_request, response) => response.end('hello'))
  let otherPort: number
  beforeAll(async () => {
    play = await aPlayground()
    otherPort = await new Promise((resolve) =>
      other.listen(0, '127.0.0.1', () => resolve((other.address() as AddressInfo).port)),
    )
  })
  afterAll(async () => {
    other.close()
    await play.dispose()
  })

  test('says where it looked for data, and makes none', async () => {
    const findings = await examine(play)
    expect(findings.find(({ check }) => check === 'data folder')).toEqual({
      check: 'data folder',
      status: 'warning',
      detail: expect.stringMatching(/^\S+ does not exist: the first start .* set its folder with --data\.$/),
    })
    // What will be made at the first start is no problem before it.
    expect(findings.filter(({ status }) => status === 'problem')).toEqual([])
    expect(existsSync(play.dataDir)).toBe(false)
  })

  test('finds a sound set-up sound, and each fault by its name', async () => {
    await play.runHere(['accounts', 'create', '--name', 'Acme'])
    expect(await problemsOf(play)).toEqual([])
    expect((await examine(play)).find(({ check }) => check === 'capacity')).toEqual({
      check: 'capacity',
      status: 'ok',
      detail: expect.stringMatching(
        /^the database takes \d+\.\d MB; too few messages in the last 7 days to project it$/,
      ),
    })
    expect(await problemsOf(play, {}, String(otherPort))).toEqual([
      `server: Port ${otherPort} is in use by another program: stop it, or choose another port with --port.`,
    ])
    expect(await problemsOf(play, { POSTERN_BASE_URL: `http://127.0.0.1:${otherPort}` })).toEqual([
      `base url: Something else responds at http://127.0.0.1:${otherPort} (status 200): check the reverse proxy.`,
    ])
    expect(await problemsOf(play, { POSTERN_MASTER_KEY: 'ab'.repeat(32) })).toEqual([
      'master key: This key cannot decrypt the stored secrets: set the master key that was used to create this data.',
    ])
    const [unreachable] = await problemsOf(play, { POSTERN_DATABASE_URL: 'postgres://u:p@127.0.0.1:1/postern' })
    expect(unreachable).toMatch(/^database: .*127\.0\.0\.1:1/)
    const key = join(play.dataDir, 'master.key')
    await rename(key, `${key}.away`)
    expect((await problemsOf(play))[0]).toMatch(/^master key: There is a database, but no key/)
    expect(existsSync(key)).toBe(false)
    await rename(`${key}.away`, key)
  })

  test.each([
    ['expired', 'The certificate has expired.'],
    ['selfSigned', 'The certificate is self-signed.'],
    ['trusted', 'The certificate was issued by an authority that is not trusted.'],
    [null, 'The receiver does not speak TLS on this port.'],
  ] as const)('finds a base URL whose certificate is refused (%s), and says why', async (name, why) => {
    const certificates = await testCertificates()
    const tls = name === null ? other : createTlsServer(certificates[name], (_request, response) => response.end())
    if (name !== null) await once(tls.listen(0, '127.0.0.1'), 'listening')
    const base = `https://127.0.0.1:${(tls.address() as AddressInfo).port}`
    const findings = await examine(play, { POSTERN_BASE_URL: base })
    if (name !== null) tls.close()
    expect(findings.find(({ check }) => check === 'base url')).toEqual({
      check: 'base url',
      status: 'problem',
      detail: expect.stringContaining(`${base} responds, but clients do not accept its TLS. ${why} `),
    })
  })

  test('finds a data folder that this user cannot write to', async () => {
    const onDisk = await aPlayground(diskFolder())
    await onDisk.runHere(['accounts', 'create', '--name', 'Acme'])
    // A mark on the files stops root too; where the file system has none, the mode of the folder stops everybody else.
    const marked = await readOnlyFolder(onDisk.dataDir)
    if (marked) await marked.fail(0)
    else await chmod(onDisk.dataDir, 0o500)
    try {
      expect(await problemsOf(onDisk)).toEqual([
        `data folder: ${onDisk.dataDir} is not writable for this user: change its owner, or choose another folder with --data.`,
        expect.stringMatching(/^database: The data folder is not writable/),
      ])
    } finally {
      if (marked) await marked.heal(0)
      else await chmod(onDisk.dataDir, 0o700)
    }
    expect(await problemsOf(onDisk)).toEqual([])
    await onDisk.dispose()
  })

  test('finds a full disk, and says that the database cannot write', async () => {
    const mounted = join(play.folder, 'disk')
    await mkdir(mounted)
    const disk = await smallDisk(mounted, 8)
    const onDisk = await aPlayground(mounted)
    try {
      await onDisk.runHere(['accounts', 'create', '--name', 'Acme'])
      await disk?.fail(0)
      // Without the right to mount there is no disk that could be full.
      const expected = disk ? ['disk: 0.0 GB free: free up space, or sends will soon be rejected.', notWritten] : []
      expect(await problemsOf(onDisk)).toEqual(expected)
    } finally {
      await onDisk.dispose()
      await disk?.remove()
    }
  })
})

/** SQLite cannot make its shared memory on a full disk, and reports that as an error of the disk. */
const notWritten = expect.stringMatching(/^database: The disk of the data folder (is full|fails \(disk I\/O error\))/)

describe('beside a gateway that runs', { timeout: 120_000 }, () => {
  test('postern doctor finds a clock that is wrong and a token that has expired, and stores nothing', async () => {
    await using cleanup = new AsyncDisposableStack()
    const play = await aPlayground()
    cleanup.defer(() => play.dispose())
    const gateway = await play.serve()
    const port = new URL(gateway.base_url).port
    expect(await problemsOf(play, {}, port)).toEqual([])
    // The port was a flag of the server; this command does not know it.
    const unaware = await examine(play, {}, '0')
    expect(unaware.filter(({ status }) => status !== 'ok')).toEqual([])
    expect(unaware).toContainEqual({ check: 'server', status: 'ok', detail: `responds at ${gateway.base_url}` })

    const stepsOf = async () =>
      ((await play.runHere(['channels', 'list', '--json'])).json.channels as { steps: object[] }[])[0]?.steps
    const before = await stepsOf()
    const elsewhere = await problemsOf(play, { POSTERN_BASE_URL: 'http://127.0.0.1:9' }, port)
    expect(elsewhere).toContainEqual(expect.stringMatching(/^channel: .*an old address of this gateway/))
    expect(await stepsOf()).toEqual(before)

    const wrongClock = join(play.folder, 'wrong-clock.cjs')
    writeFileSync(wrongClock, 'const { now } = Date; Date.now = () => now() + 600_000')
    expect(await problemsOf(play, { NODE_OPTIONS: `--require "${wrongClock}"` }, port)).toEqual([
      expect.stringMatching(
        /^clock: (599|600|601) s from the clock of http:\/\/\S+: set this clock, or signatures and tokens will be rejected\.$/,
      ),
    ])

    const { numbers } = (await (await fetch(`${gateway.sandbox_url}/_sandbox`)).json()) as {
      numbers: { phone_number_id: string }[]
    }
    const expire = await fetch(`${gateway.sandbox_url}/_sandbox/numbers/${numbers[0]?.phone_number_id}`, {
      method: 'PATCH',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ token_expired: true }),
    })
    expect(expire.status).toBe(200)
    expect(await problemsOf(play, {}, port)).toEqual([
      expect.stringMatching(/^channel: chn_\S+ of .*: The access token does not work.*Create a system user token/),
    ])
  })

  test('postern doctor finds a base URL and a port that belong to another gateway', async () => {
    await using cleanup = new AsyncDisposableStack()
    const [mine, theirs] = [await aPlayground(), await aPlayground()]
    for (const play of [mine, theirs]) cleanup.defer(() => play.dispose())
    const [own, other] = await Promise.all([mine.serve(), theirs.serve()])
    const baseUrlOf = async (base: string) =>
      (await examine(mine, { POSTERN_BASE_URL: base })).find(({ check }) => check === 'base url')
    expect(await baseUrlOf(own.base_url)).toMatchObject({
      status: 'ok',
      detail: `${own.base_url} points to this gateway`,
    })
    expect(await baseUrlOf(other.base_url)).toMatchObject({
      status: 'problem',
      detail: `${other.base_url} points to another Postern gateway, not to the one with this data. Set it to ${own.base_url}, or check the reverse proxy.`,
    })
    await stop(own)
    const port = new URL(other.base_url).port
    expect(await problemsOf(mine, {}, port)).toContain(
      `server: Port ${port} is in use by another program: stop it, or choose another port with --port.`,
    )
  })

  test('postern doctor compares the connections that all processes may open with those PostgreSQL has', async () => {
    await using cleanup = new AsyncDisposableStack()
    const server = await startPostgres({ settings: ['max_connections=28'] })
    cleanup.defer(() => server.stop())
    const play = await aPlayground()
    cleanup.defer(() => play.dispose())
    const env = { POSTERN_DATABASE_URL: server.url, POSTERN_SANDBOX_LISTEN: 'off', POSTERN_MASTER_KEY: 'ab'.repeat(32) }
    const connectionsFor = async (more: Record<string, string> = {}) => {
      const findings = await examine(play, { ...env, ...more })
      const { status, detail } = findings.find(({ check }) => check === 'connections') ?? {}
      return `${status}: ${detail}`
    }
    // It looks, and leaves an empty database as it is: one with a mistyped name must not seem sound.
    const empty = await examine(play, env)
    expect(empty.filter(({ status }) => status === 'problem')).toEqual([])
    expect(empty.find(({ check }) => check === 'database')).toEqual({
      check: 'database',
      status: 'warning',
      detail: expect.stringMatching(/^This database is empty: the first start .* check its name and address\.$/),
    })
    // 3 are kept for superusers.
    expect(await connectionsFor()).toBe(
      'warning: One process opens up to 17 of the 25 connections that PostgreSQL leaves for them, and one that starts while another stops opens 17 more: raise max_connections by 9, or lower POSTERN_DATABASE_POOL_READ.',
    )
    expect(await connectionsFor({ POSTERN_PROCESSES: '2' })).toBe(
      'problem: 2 processes open up to 34 of the 25 connections that PostgreSQL leaves for them: raise max_connections by 26, or lower POSTERN_DATABASE_POOL_READ.',
    )
    const few = { POSTERN_DATABASE_POOL_READ: '1', POSTERN_DATABASE_POOL_WRITE: '1' }
    expect(await connectionsFor(few)).toBe(
      'ok: One process opens up to 7 of the 25 connections that PostgreSQL leaves for them',
    )
    await play.serve(['--processes', '2'], { ...env, ...few })
    expect(await connectionsFor(few)).toBe(
      'ok: 2 processes open up to 14 of the 25 connections that PostgreSQL leaves for them',
    )
  })
})
