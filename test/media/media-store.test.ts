import { readdir } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { dayMs } from '../../server/src/lib/durations.ts'
import { here } from '../../server/src/media/blobs/blob.ts'
import { blobStoreAt, openBlob, placeOfNew } from '../../server/src/media/blobs/blob-store.ts'
import { announceBlob, announceCopy, countWaitingRemovals } from '../../server/src/media/blobs/loose-blobs.ts'
import { moveBlobs } from '../../server/src/media/blobs/move-blobs.ts'
import { probeBucket } from '../../server/src/media/blobs/probe-bucket.ts'
import { deleteMedia, tidyMedia } from '../../server/src/media/delete-media.ts'
import { createMedia, stageUpload } from '../../server/src/media/upload-media.ts'
import { createReadiness } from '../../server/src/readiness.ts'
import type { Runtime } from '../../server/src/runtime.ts'
import { blobsElsewhere } from '../../server/src/store/media/blobs.ts'
import { engines } from '../support/postgres/databases.ts'
import { type Fault, type S3Server, secretAccessKey, startS3Server } from '../support/s3/s3-server.ts'
import { sha256 } from '../support/s3/signature-v4.ts'
import { waitFor } from '../support/wait-for.ts'
import {
  type Answer,
  aMediaWorld,
  fileHead,
  type Login,
  type MediaWorld,
  megabyte,
  pdf,
  pdfOf,
  png,
} from './media-support.ts'

const nothing = { blobs: 0, loose: 0, files: 0 }
const idOf = ({ json }: Answer) => String(json.data.media_id)

describe.each(engines)('files in a bucket, on %s', (engine) => {
  let time = 0
  let s3: S3Server
  let world: MediaWorld
  let owner: Login

  beforeAll(async () => {
    s3 = await startS3Server({ now: () => time || world.clock.now() })
    world = await aMediaWorld(engine, s3.env())
    owner = await world.login()
  })
  // Tokens end, as the clock of these tests is advanced by months.
  beforeEach(async () => {
    owner = await world.login(undefined, owner.accountId)
  })
  // Whatever a test has stored is gone a month later, also from the bucket.
  afterEach(async () => {
    s3.always(null)
    time = 0
    world.clock.advance(32 * dayMs)
    await tidyMedia(world.rt)
    expect(await world.stored()).toEqual(nothing)
    expect([...s3.objects.keys()]).toEqual([])
    s3.requests.length = 0
  })
  afterAll(async () => {
    await world.dispose()
    await s3.close()
  })

  const content = (id: string) => world.call('GET', `/v1/chat/media/${id}/content`, owner)
  const upload = (file: Buffer | AsyncIterable<Buffer> = png) => world.upload(owner, { file })
  /** Stored with other settings. */
  const kept = async (rt: Runtime, file: Buffer) => {
    const staged = await stageUpload(rt, owner.accountId, { content: Readable.from([file]), declaredType: null })
    return (await createMedia(rt, staged, { field: null, part: null }, null)).record.media_id
  }
  const blobIds = async (rt: Runtime) =>
    (await rt.store.read(blobsElsewhere, { place: here, after: '', count: 10 })).map(({ id }) => id)
  const logged = (event: string) => world.logLines.filter((line) => line.includes(`"${event}"`))

  test('an upload is an object below the prefix, read back from there and nowhere else', async () => {
    const answer = await upload()
    expect(answer.status).toBe(201)
    expect([...s3.objects.keys()]).toEqual([expect.stringMatching(/^media\/([0-9a-f]{2})\/\1[0-9a-f]{30}$/)])
    expect([...s3.objects.values()]).toEqual([png])
    // Neither in the data folder nor in the database.
    expect(await world.stored()).toEqual({ blobs: 1, loose: 0, files: 0 })
    expect((await readdir(world.rt.config.dataDir)).filter((name) => name.endsWith('.part'))).toEqual([])
    expect((await content(idOf(answer))).body.equals(png)).toBe(true)
    expect((await world.call('DELETE', `/v1/chat/media/${idOf(answer)}`, owner)).status).toBe(200)
    expect(s3.objects.size).toBe(0)
  })

  test('20 MB go in and out piece by piece', async () => {
    const answer = await upload(pdfOf(20 * megabyte))
    expect(answer.status).toBe(201)
    expect([...s3.objects.values()].map(({ length }) => length)).toEqual([20 * megabyte])
    const { body, headers } = await content(idOf(answer))
    expect([body.length, headers['content-length']]).toEqual([20 * megabyte, String(20 * megabyte)])
    expect(body.subarray(0, 5).toString()).toBe('%PDF-')
  })

  test('the same bytes twice are one object', async () => {
    const [first, second] = [await upload(), await upload()]
    expect(s3.objects.size).toBe(1)
    await deleteMedia(world.rt, owner.accountId, idOf(first))
    expect((await content(idOf(second))).body.equals(png)).toBe(true)
  })

  test.each<[string, Fault]>([
    ['slow-down', { status: 503, code: 'SlowDown' }],
    ['an error of the store', { status: 500, code: 'InternalError' }],
    ['half an upload, then a cut connection', { cutAfter: 1 }],
  ])('%s is tried again, and the file is stored whole', async (_, fault) => {
    s3.next('PUT', fault, fault)
    const answer = await upload(pdf)
    expect(answer.status).toBe(201)
    expect([...s3.objects.values()]).toEqual([pdf])
    expect(s3.requests.filter((line) => line.startsWith('PUT'))).toHaveLength(3)
  })

  test.each<[string, Fault, string]>([
    ['the keys are rejected', { status: 403, code: 'InvalidAccessKeyId' }, 'POSTERN_MEDIA_STORE_ACCESS_KEY_ID'],
    ['a permission is missing', { status: 403, code: 'AccessDenied' }, 'lacks a permission (AccessDenied)'],
    ['the bucket is full', { status: 507, code: 'XMinioStorageFull' }, 'The store is full (XMinioStorageFull)'],
    ['the bucket is beyond its quota', { status: 403, code: 'QuotaExceeded' }, 'The store is full (QuotaExceeded)'],
    ['there is no such bucket', { status: 404, code: 'NoSuchBucket' }, 'The bucket does not exist'],
    [
      'the bucket is in another region',
      {
        status: 301,
        code: 'PermanentRedirect',
        headers: { location: 'http://elsewhere.invalid/', 'x-amz-bucket-region': 'eu-west-1' },
      },
      'POSTERN_MEDIA_STORE_REGION=eu-west-1',
    ],
  ])('%s: one attempt, a client that may come back, and what to do for the operator', async (_, fault, advice) => {
    s3.always(fault)
    const { status, json, headers } = await upload()
    expect([status, json.error.code, headers['retry-after']]).toEqual([500, 'service_unavailable', '30'])
    expect(json.error.message).toBe('The storage of files is not available right now.')
    expect(s3.requests.filter((line) => line.startsWith('PUT'))).toHaveLength(1)
    const checks = await createReadiness(world.rt).check()
    const check = checks.find(({ name }) => name === 'media_store')
    expect([check?.status, check?.detail]).toEqual(['warning', expect.stringContaining(advice)])
    expect(checks.some((found) => found.status === 'failing')).toBe(false)
    expect(logged('media.store_failed').length).toBeGreaterThan(0)
    expect(world.logLines.join()).not.toContain(secretAccessKey)
    s3.always(null)
    expect((await upload()).status).toBe(201)
  })

  test('a store whose clock is an hour ahead is signed for by its own time', async () => {
    time = world.clock.now() + 3_600_000
    expect((await upload()).status).toBe(201)
    expect(s3.requests.filter((line) => line.startsWith('PUT'))).toHaveLength(2)
    expect((await upload(pdf)).status).toBe(201)
    expect(s3.requests.filter((line) => line.startsWith('PUT'))).toHaveLength(3)
    // Set right again, it is followed back.
    time = 0
    expect((await upload(pdfOf(1_000))).status).toBe(201)
  })

  test('a download whose connection is cut breaks off, and is never a shorter file', async () => {
    const id = idOf(await upload(pdfOf(2 * megabyte)))
    s3.next('GET', { sendOnly: 100_000 })
    await expect(content(id)).rejects.toThrow(/aborted|hang up|reset/)
    expect((await content(id)).body.length).toBe(2 * megabyte)
  })

  test('an object that others cut short is never a shorter file', async () => {
    const id = idOf(await upload(pdfOf(2 * megabyte)))
    for (const [key, bytes] of s3.objects) s3.objects.set(key, bytes.subarray(0, megabyte))
    await expect(content(id)).rejects.toThrow(/aborted|hang up|reset/)
    const [blob] = await world.rt.store.read(blobsElsewhere, { place: here, after: '', count: 1 })
    const read = async () => {
      let bytes = 0
      for await (const chunk of await openBlob(world.rt, blob?.id ?? '')) bytes += chunk.length
      return bytes
    }
    await expect(read()).rejects.toMatchObject({ name: 'BytesMissing' })
  })

  test('a store that is away says so to a download too, and a file it has lost is not found', async () => {
    const id = idOf(await upload())
    s3.always({ status: 403, code: 'AccessDenied' })
    expect((await content(id)).json.error.code).toBe('service_unavailable')
    s3.always(null)
    s3.objects.clear()
    const { status, json } = await content(id)
    expect([status, json.error.code]).toEqual([404, 'media_not_found'])
    expect(logged('media.bytes_missing')).toHaveLength(1)
  })

  test('a client that leaves in the middle of its upload leaves nothing in the bucket', async () => {
    const request = world.begin(owner)
    request.on('error', () => {})
    request.write(fileHead({ type: 'application/pdf' }))
    for await (const piece of pdfOf(megabyte)) request.write(piece)
    await waitFor(async () => (await world.stored()).loose === 1)
    request.destroy()
    await waitFor(async () => (await world.stored()).loose === 0)
    expect(s3.requests.filter((line) => line.startsWith('PUT'))).toEqual([])
  })

  test('killed between the object and the row: the object is on the list, and the next round removes it', async () => {
    const { rt } = world
    const { blobId, place } = await announceBlob(rt, owner.accountId)
    const writer = await blobStoreAt(rt, place).create(blobId)
    await writer.write(png)
    await writer.finish(sha256(png))
    expect(s3.objects.size).toBe(1)
    await tidyMedia(rt)
    expect(s3.objects.size).toBe(1)
    world.clock.advance(3_600_001)
    await tidyMedia(rt)
    expect(s3.objects.size).toBe(0)
  })

  test('what cannot be deleted is told, retried until it can, and does not stop the rest', async () => {
    const ids = [idOf(await upload(png)), idOf(await upload(pdf))]
    s3.always({ status: 503, code: 'SlowDown' })
    for (const id of ids) await deleteMedia(world.rt, owner.accountId, id)
    expect((await content(ids[0] ?? '')).status).toBe(404)
    expect([await countWaitingRemovals(world.rt, owner.accountId), s3.objects.size]).toEqual([2, 2])
    world.clock.advance(600_001)
    await tidyMedia(world.rt)
    expect(s3.objects.size).toBe(2)
    s3.always(null)
    // One of them still fails, both times it is asked for.
    s3.next('DELETE', { status: 403, code: 'AccessDenied' })
    world.clock.advance(600_001)
    await tidyMedia(world.rt)
    expect([await countWaitingRemovals(world.rt, owner.accountId), s3.objects.size]).toEqual([1, 1])
    world.clock.advance(600_001)
    await tidyMedia(world.rt)
    expect([await countWaitingRemovals(world.rt, owner.accountId), s3.objects.size]).toEqual([0, 0])
  })

  test('files from before stay readable, and move there and back without a moment without them', async () => {
    const { rt } = world
    const before = { ...rt, bucket: null }
    const ids = [await kept(before, png), await kept(before, pdf)]
    const readable = async () => {
      const answers = await Promise.all(ids.map(content))
      return answers.map(({ body }) => body.equals(png) || body.equals(pdf))
    }
    expect([await world.stored(), s3.objects.size]).toEqual([{ blobs: 2, loose: 0, files: 2 }, 0])
    expect(await readable()).toEqual([true, true])

    const there = { to: 's3://files/media', moved: 2, bytes: png.length + pdf.length, passed: 0, next: null }
    expect(await moveBlobs(rt, { to: placeOfNew(rt), after: '' })).toEqual(there)
    expect([await world.stored(), s3.objects.size]).toEqual([{ blobs: 2, loose: 0, files: 0 }, 2])
    expect(await readable()).toEqual([true, true])
    // Without its setting, the bucket can't be read, and nobody is told that the file does not exist.
    const away = openBlob(before, (await blobIds(rt))[0] ?? '')
    await expect(away).rejects.toMatchObject({ code: 'service_unavailable' })

    expect(await moveBlobs(rt, { to: here, after: '' })).toMatchObject({ to: here, moved: 2 })
    expect([await world.stored(), s3.objects.size]).toEqual([{ blobs: 2, loose: 0, files: 2 }, 0])
    expect(await readable()).toEqual([true, true])
  })

  test('a file whose old bytes are still being removed at its goal is passed over, and not even opened', async () => {
    const { rt } = world
    expect((await upload()).status).toBe(201)
    const [blob] = await rt.store.read(blobsElsewhere, { place: here, after: '', count: 1 })
    await announceCopy(rt, owner.accountId, { blobId: blob?.id ?? '', place: here })
    s3.requests.length = 0
    expect(await moveBlobs(rt, { to: here, after: '' })).toMatchObject({ moved: 0, passed: 1 })
    expect(s3.requests).toEqual([])
  })

  test('a move that is cut short loses nothing and leaves nothing, and goes on at its next run', async () => {
    const { rt } = world
    const before = { ...rt, bucket: null }
    const ids = [await kept(before, png), await kept(before, pdf)]
    s3.next('PUT', { status: 403, code: 'AccessDenied' })
    await expect(moveBlobs(rt, { to: placeOfNew(rt), after: '' })).rejects.toMatchObject({
      code: 'service_unavailable',
    })
    expect([await world.stored(), s3.objects.size]).toEqual([{ blobs: 2, loose: 0, files: 2 }, 0])
    // Deleted while the copy of one of them is on its way.
    s3.next('PUT', {
      after: async () => {
        for (const id of ids) await deleteMedia(rt, owner.accountId, id)
      },
    })
    expect(await moveBlobs(rt, { to: placeOfNew(rt), after: '' })).toMatchObject({ moved: 0, passed: 2 })
    expect([await world.stored(), s3.objects.size]).toEqual([nothing, 0])
  })

  test('a probe puts, gets and deletes one object, and sees a bucket that keeps what is deleted', async () => {
    expect(world.rt.bucket && (await probeBucket(world.rt.bucket))).toEqual({ keepsVersions: false })
    expect(s3.requests.map((line) => line.split(' ')[0])).toEqual(['PUT', 'GET', 'DELETE'])
    expect(await world.rt.metrics.render()).toMatch(
      /postern_media_store_request_duration_seconds_count\{operation="put",outcome="ok"\} \d+/,
    )
  })
})
