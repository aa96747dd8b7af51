import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { probeBucket } from '../../server/src/media/blobs/probe-bucket.ts'
import { recordFigure, scaled } from '../support/proof.ts'
import { accessKeyId, secretAccessKey } from '../support/s3/s3-server.ts'
import { waitFor } from '../support/wait-for.ts'
import { aMediaWorld, type MediaWorld, megabyte, pdfOf, png } from './media-support.ts'

/**
 * Stores written by others, which check signatures with code of their own: Versity's gateway in Go, and moto in Python with
 * botocore. A proof and no test: npm brings neither.
 */
type Store = {
  name: string
  program: string | undefined
  needs: string
  start(folder: string, port: number): ChildProcess
}

const bucket = 'files'
const stores: readonly Store[] = [
  {
    name: 'versitygw',
    program: programAt('VERSITYGW', 'versitygw'),
    needs: 'go install github.com/versity/versitygw/cmd/versitygw@v1.8.0, and its path in VERSITYGW',
    start(folder, port) {
      const data = join(folder, 'data')
      mkdirSync(join(data, bucket), { recursive: true })
      mkdirSync(join(folder, 'meta'))
      const keys = { ROOT_ACCESS_KEY: accessKeyId, ROOT_SECRET_KEY: secretAccessKey }
      const words = ['--quiet', '--port', `127.0.0.1:${port}`, 'posix', '--sidecar', join(folder, 'meta'), data]
      return spawn(this.program ?? '', words, { env: { ...process.env, ...keys }, stdio: 'ignore' })
    },
  },
  {
    name: 'moto',
    program: programAt('MOTO_SERVER', 'moto_server'),
    needs: "pip install 'moto[s3,server]', and the path of moto_server in MOTO_SERVER",
    start(_folder, port) {
      return spawn(this.program ?? '', ['--host', '127.0.0.1', '--port', String(port)], { stdio: 'ignore' })
    },
  },
]

const missing = stores.filter(({ program }) => !program)
if (missing.length === stores.length) {
  throw new Error(`This proof needs one of: ${missing.map(({ needs }) => needs).join('; ')}`)
}
for (const { name, needs } of missing) recordFigure('media store', `with ${name}`, `could not run: ${needs}`)

describe.each(stores.filter(({ program }) => program))('files in a bucket of $name', { timeout: 120_000 }, (store) => {
  let world: MediaWorld | null = null
  let server: ChildProcess | null = null
  const folder = mkdtempSync(join(tmpdir(), 'postern-s3-'))
  afterEach(async () => {
    await world?.dispose()
    world = null
  })
  afterAll(() => {
    server?.kill()
    rmSync(folder, { recursive: true, force: true })
  })

  test('takes, gives and deletes what the gateway signs, and nothing that is signed with another secret', async () => {
    const port = await freePort()
    server = store.start(folder, port)
    const endpoint = `http://127.0.0.1:${port}`
    await waitFor(async () => (await fetch(endpoint).catch(() => null)) !== null, 30_000)
    if (store.name === 'moto') await fetch(`${endpoint}/${bucket}`, { method: 'PUT' })
    const env = {
      POSTERN_MEDIA_STORE: `s3://${bucket}/a/b`,
      POSTERN_MEDIA_STORE_ENDPOINT: endpoint,
      POSTERN_MEDIA_STORE_ACCESS_KEY_ID: accessKeyId,
      POSTERN_MEDIA_STORE_SECRET_ACCESS_KEY: secretAccessKey,
    }
    world = await aMediaWorld('sqlite', env)
    const probed = world.rt.bucket && (await probeBucket(world.rt.bucket))
    expect(probed).toEqual({ keepsVersions: false })
    const owner = await world.login()
    const uploads = scaled(10)
    for (let index = 0; index < uploads; index++) {
      const bytes = Buffer.concat([png, Buffer.from(String(index))])
      const { status, json } = await world.upload(owner, { file: bytes })
      expect(status).toBe(201)
      const path = `/v1/chat/media/${String(json.data.media_id)}`
      expect((await world.call('GET', `${path}/content`, owner)).body.equals(bytes)).toBe(true)
      expect((await world.call('DELETE', path, owner)).status).toBe(200)
    }
    const large = await world.upload(owner, { file: pdfOf(30 * megabyte) })
    expect(large.status).toBe(201)
    const path = `/v1/chat/media/${String(large.json.data.media_id)}`
    expect((await world.call('GET', `${path}/content`, owner)).body.length).toBe(30 * megabyte)
    await world.call('DELETE', path, owner)
    expect(await world.stored()).toEqual({ blobs: 0, loose: 0, files: 0 })
    recordFigure('media store', `with ${store.name}`, `${uploads} files and one of 30 MB, put, read and deleted`)

    if (store.name !== 'versitygw') return
    const inBucket = readdirSync(join(folder, 'data', bucket), { recursive: true, withFileTypes: true })
    expect(inBucket.filter((entry) => entry.isFile())).toEqual([])
    const wrong = await aMediaWorld('sqlite', { ...env, POSTERN_MEDIA_STORE_SECRET_ACCESS_KEY: 'not-the-secret' })
    try {
      const probe = wrong.rt.bucket ? probeBucket(wrong.rt.bucket) : Promise.resolve()
      await expect(probe).rejects.toMatchObject({ status: 403, code: 'SignatureDoesNotMatch' })
    } finally {
      await wrong.dispose()
    }
  })
})

function programAt(variable: string, name: string): string | undefined {
  const named = process.env[variable]
  if (named) return existsSync(named) ? named : undefined
  try {
    return execFileSync('which', [name], { encoding: 'utf8' }).trim() || undefined
  } catch {
    return undefined
  }
}

async function freePort(): Promise<number> {
  const probe = createServer()
  await new Promise<void>((listening) => probe.listen(0, '127.0.0.1', listening))
  const { port } = probe.address() as { port: number }
  await new Promise((closed) => probe.close(closed))
  return port
}
