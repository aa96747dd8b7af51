import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { png } from '../media/media-samples.ts'
import { processTimeoutMs } from '../support/child-process.ts'
import { accessKeyId, type S3Server, secretAccessKey, startS3Server } from '../support/s3/s3-server.ts'
import { aPlayground, type Gateway, type Playground, stop, tokenOf } from '../support/serve.ts'

type Finding = { check: string; status: string; detail: string }

describe('a gateway with a bucket, and its commands', { timeout: processTimeoutMs }, () => {
  let s3: S3Server
  let play: Playground
  let gateway: Gateway
  let credentials: { api_key?: string; api_secret?: string } = {}
  beforeAll(async () => {
    s3 = await startS3Server()
    play = await aPlayground()
    gateway = await play.serve([], s3.env())
    credentials = gateway.firstRun ?? {}
  }, processTimeoutMs)
  afterEach(() => s3.always(null))
  afterAll(async () => {
    await play.dispose()
    await s3.close()
  })

  async function upload(bytes: Buffer): Promise<string> {
    const form = new FormData()
    form.set('file', new Blob([new Uint8Array(bytes)]), 'a.png')
    const headers = { authorization: `Bearer ${await tokenOf(gateway.base_url, credentials)}` }
    const response = await fetch(`${gateway.base_url}/v1/chat/media`, { method: 'POST', headers, body: form })
    const { data } = (await response.json()) as { data: { media_id: string } | null }
    return data?.media_id ?? `status ${response.status}`
  }
  async function download(mediaId: string): Promise<number> {
    const headers = { authorization: `Bearer ${await tokenOf(gateway.base_url, credentials)}` }
    return (await fetch(`${gateway.base_url}/v1/chat/media/${mediaId}/content`, { headers })).status
  }
  const doctor = async (env: Record<string, string>) => {
    const { json } = await play.runHere(['doctor', '--json', '--port', '0', '--admin-port', '0'], env)
    const ofStore = (json.findings as Finding[]).filter(({ check }) => check === 'media store')
    return ofStore.map(({ status, detail }) => `${status}: ${detail}`)
  }

  test('settings: keys are required and never shown', async () => {
    const printed = await play.runHere(['config', 'print'], s3.env())
    expect(printed.stdout).toMatch(/POSTERN_MEDIA_STORE +s3:\/\/files\/media/)
    expect(printed.stdout + printed.stderr).not.toMatch(new RegExp(`${accessKeyId}|${secretAccessKey}`))
    const without = await play.runHere(['config', 'check'], { POSTERN_MEDIA_STORE: 's3://files' })
    expect(without.code).not.toBe(0)
    expect(without.stderr).toContain(
      'POSTERN_MEDIA_STORE_ACCESS_KEY_ID (or POSTERN_MEDIA_STORE_ACCESS_KEY_ID_FILE) is required',
    )
    const wrong = await play.runHere(['config', 'check'], { ...s3.env(), POSTERN_MEDIA_STORE: 'files/media' })
    expect(wrong.stderr).toContain('POSTERN_MEDIA_STORE must be s3://bucket or s3://bucket/prefix, not "files/media"')
  })

  test('doctor puts, gets and deletes an object, and names the setting that is wrong', async () => {
    s3.requests.length = 0
    expect(await doctor(s3.env())).toEqual(['ok: s3://files/media: an object was put, read and deleted'])
    expect([s3.requests.map((line) => line.split(' ')[0]), s3.objects.size]).toEqual([['PUT', 'GET', 'DELETE'], 0])
    const secret = { POSTERN_MEDIA_STORE_SECRET_ACCESS_KEY: 'another-secret' }
    expect(await doctor({ ...s3.env(), ...secret })).toEqual([
      'problem: s3://files/media: The store rejects the keys (SignatureDoesNotMatch): check POSTERN_MEDIA_STORE_ACCESS_KEY_ID and POSTERN_MEDIA_STORE_SECRET_ACCESS_KEY.',
    ])
    expect(await doctor({ ...s3.env(), POSTERN_MEDIA_STORE_REGION: 'eu-west-1' })).toEqual([
      'problem: s3://files/media: The bucket is in another region: set POSTERN_MEDIA_STORE_REGION=us-east-1.',
    ])
    const versioned = await startS3Server({ versioned: true })
    expect(await doctor(versioned.env())).toEqual([
      expect.stringContaining('warning: s3://files/media keeps old versions'),
    ])
    await versioned.close()
  })

  test('killed between the object and its row, it keeps every file that was acknowledged, and knows of the other', async () => {
    const before = await upload(png)
    s3.next('PUT', { after: () => gateway.process.signal('SIGKILL') })
    await expect(upload(Buffer.concat([png, Buffer.from('cut short')]))).rejects.toThrow()
    await gateway.process.ended
    expect(s3.objects.size).toBe(2)
    gateway = await play.serve([], s3.env())
    expect(await download(before)).toBe(200)
  })

  test('a backup says what it does not contain, and so does its restore', async () => {
    const file = join(play.folder, 'postern.tar')
    const backup = await play.runHere(['backup', file])
    expect(backup.stdout).toContain(`1 media file in s3://files/media (0.0 MB) is not in it: back up the bucket too.`)
    const other = await aPlayground()
    const restore = await other.runHere(['restore', file])
    expect(restore.stdout).toContain('1 of its media files are read from s3://files/media')
    await other.dispose()
    rmSync(file)
  })

  test('files move out of the bucket and into it while the gateway runs, and stay readable', async () => {
    const id = await upload(Buffer.concat([png, Buffer.from('moves')]))
    const back = await play.runHere(['media', 'move', '--back', '--json'], s3.env())
    expect([back.code, back.json]).toEqual([0, { to: 'here', moved: 2, bytes: 2 * png.length + 5, passed: 0 }])
    expect(await download(id)).toBe(200)
    expect(await doctor(s3.env())).toEqual([
      'ok: s3://files/media: an object was put, read and deleted',
      'ok: 2 files (0.0 MB) still with the database; "postern media move" moves them to the bucket',
    ])
    const there = await play.runHere(['media', 'move'], s3.env())
    expect(there.stdout).toBe('2 files (0.0 MB) moved to s3://files/media.\n')
    expect(await download(id)).toBe(200)
    expect((await play.runHere(['media', 'move'], s3.env())).stdout).toBe(
      'Every file is in s3://files/media already.\n',
    )
  })

  test('without its setting, the files of the bucket are a problem that doctor names', async () => {
    expect(await doctor({})).toEqual([
      expect.stringMatching(
        /^problem: 2 files \(0\.0 MB\) in s3:\/\/files\/media, which POSTERN_MEDIA_STORE does not name/,
      ),
    ])
  })

  test('starts and is ready while the store is away, and says so', async () => {
    await stop(gateway)
    s3.always({ status: 403, code: 'AccessDenied' })
    gateway = await play.serve([], s3.env())
    const health = () => fetch(`${gateway.admin_url}/readyz?verbose`)
    type Check = { name: string; status: string; detail?: string }
    const checkOf = async () =>
      ((await (await health()).json()) as { checks: Check[] }).checks.find(({ name }) => name === 'media_store')
    await expect.poll(checkOf).toMatchObject({ status: 'warning', detail: expect.stringContaining('AccessDenied') })
    expect((await health()).status).toBe(200)
    expect(gateway.process.output.stderr).toContain('media.store_failed')
    expect(await (await fetch(`${gateway.admin_url}/metrics`)).text()).toContain('postern_media_store_failing 1')
  })
})
