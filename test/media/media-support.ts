import { readdir } from 'node:fs/promises'
import { type ClientRequest, request as httpRequest, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { createKey } from '../../server/src/access/keys/create-key.ts'
import { operator } from '../../server/src/audit/audit.ts'
import type { Plan } from '../../server/src/contract/plans.ts'
import { type Scope, scopes } from '../../server/src/contract/scopes.ts'
import { createApp } from '../../server/src/http/app.ts'
import type { App } from '../../server/src/http/edge/context.ts'
import { apiMount } from '../../server/src/http/shared/mount.ts'
import { addUploadRoutes } from '../../server/src/http/shared/uploads.ts'
import { addAuthRoutes } from '../../server/src/http/v1/auth.ts'
import { addMediaRoutes } from '../../server/src/http/v1/media.ts'
import { createAccount } from '../../server/src/installation/account.ts'
import { operation, query } from '../../server/src/store/engine/operation.ts'
import { Unit } from '../../server/src/store/engine/unit.ts'
import { findMediaUsage } from '../../server/src/store/media/media.ts'
import type { EngineName } from '../support/postgres/databases.ts'
import { aRuntime, type TestRuntime } from '../support/runtime.ts'
import { countBlobs } from '../support/store-queries.ts'
import { png } from './media-samples.ts'

export { pdf, png } from './media-samples.ts'
export const megabyte = 1_048_576

export type Answer = { status: number; headers: IncomingHttpHeaders; body: Buffer; json: AnswerBody }
type AnswerBody = {
  success: boolean
  data: Record<string, unknown>
  error: { code: string; message: string; details?: { field: string; code: string }[]; required_scope?: string }
}
export type Login = { accountId: string; token: string }

/** A gateway on a real socket, with accounts and files. */
export type MediaWorld = TestRuntime & {
  base: string
  login(allowed?: readonly Scope[], accountId?: string, plan?: Plan): Promise<Login>
  call(method: string, path: string, login: Login, headers?: Record<string, string>, body?: Body): Promise<Answer>
  upload(login: Login, form: Form, headers?: Record<string, string>): Promise<Answer>
  /** Opens an upload and leaves it open. */
  begin(login: Login, headers?: Record<string, string>): ClientRequest
  /** Blobs and loose bytes in the database, and what really lies on disk or in the chunk table. */
  stored(): Promise<{ blobs: number; loose: number; files: number }>
}

export async function aMediaWorld(engine: EngineName, env: Record<string, string> = {}): Promise<MediaWorld> {
  const world = await aRuntime(engine, env)
  const { rt } = world
  const resources = [addAuthRoutes, addMediaRoutes, (to: App) => addUploadRoutes(to, rt, apiMount)]
  const app = await createApp(rt, { readiness: { check: async () => [] }, resources })
  await app.listen({ port: 0, host: '127.0.0.1' })
  const base = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`

  const begin: MediaWorld['begin'] = (login, headers = {}) =>
    httpRequest(`${base}/v1/chat/media`, {
      method: 'POST',
      headers: { authorization: `Bearer ${login.token}`, 'content-type': formType, ...headers },
      agent: false,
    })

  return {
    ...world,
    base,
    begin,
    async login(allowed = scopes, accountId, plan = 'enterprise') {
      const created = accountId ? null : await createAccount(rt, { name: 'Acme', plan, actor: operator })
      const id = accountId ?? created?.account.id ?? ''
      const createdBy = created?.owner.id ?? 'usr_test'
      const key = { accountId: id, name: 'Test', scopes: allowed, createdBy, actor: operator, allowedIps: null }
      const { row, secret } = await createKey(rt, key)
      const answer = await app.inject({
        method: 'POST',
        url: '/v1/auth/token',
        payload: { api_key: row.public_key, api_secret: secret },
      })
      return { accountId: id, token: String(answer.json().data.access_token) }
    },
    call: (method, path, login, headers = {}, body) =>
      exchange(
        httpRequest(`${base}${path}`, {
          method,
          headers: { authorization: `Bearer ${login.token}`, ...headers },
          agent: false,
        }),
        body,
      ),
    upload: (login, form, headers = {}) => exchange(begin(login, headers), formBody(form)),
    async stored() {
      const [counts] = await rt.store.read(countBlobs, {})
      const files =
        engine === 'sqlite' ? await filesUnder(join(rt.config.dataDir, 'media')) : await blobsInChunks(world)
      return { blobs: counts?.stored ?? -1, loose: counts?.loose ?? -1, files }
    },
    async dispose() {
      app.server.closeAllConnections()
      await app.close()
      await world.dispose()
    },
  }
}

export type Body = Buffer | AsyncIterable<Buffer>
export type Form = {
  file?: Body
  type?: string
  /** Name in the part; null for a part without one. */
  name?: string | null
  part?: string
  before?: [string, string][]
  after?: [string, string][]
  /** The closing boundary is left out. */
  open?: boolean
}

const boundary = 'form-boundary-7MA4YWxk'
export const formType = `multipart/form-data; boundary=${boundary}`

export function fileHead({ type, name = 'file.bin', part = 'file' }: Form = {}): string {
  const filename = name === null ? '' : `; filename="${name}"`
  const contentType = type === undefined ? '' : `Content-Type: ${type}\r\n`
  return `--${boundary}\r\nContent-Disposition: form-data; name="${part}"${filename}\r\n${contentType}\r\n`
}

async function* formBody(form: Form): AsyncGenerator<Buffer> {
  for (const [name, value] of form.before ?? []) yield field(name, value)
  if (form.file !== undefined) {
    yield Buffer.from(fileHead(form))
    if (Buffer.isBuffer(form.file)) yield form.file
    else yield* form.file
    yield Buffer.from('\r\n')
  }
  for (const [name, value] of form.after ?? []) yield field(name, value)
  if (!form.open) yield Buffer.from(`--${boundary}--\r\n`)
}

function field(name: string, value: string): Buffer {
  return Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`)
}

/** Writes with back-pressure and reads the whole answer. */
export async function exchange(request: ClientRequest, body?: Body): Promise<Answer> {
  const answered = new Promise<Answer>((resolve, reject) => {
    request.on('error', reject)
    request.on('response', (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('error', reject)
      response.on('end', () => {
        const bytes = Buffer.concat(chunks)
        const isJson = String(response.headers['content-type']).startsWith('application/json')
        const json = (isJson ? JSON.parse(bytes.toString('utf8')) : {}) as AnswerBody
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: bytes, json })
      })
    })
  })
  answered.catch(() => {})
  if (body !== undefined) {
    const closed = new Promise<void>((resolve) => request.once('close', resolve))
    for await (const chunk of Buffer.isBuffer(body) ? [body] : body) {
      if (request.destroyed) break
      if (!request.write(chunk)) {
        await Promise.race([new Promise<void>((resolve) => request.once('drain', resolve)), closed])
      }
    }
  }
  request.end()
  return answered
}

/** A PDF of exactly this many bytes, made piece by piece. */
export async function* pdfOf(bytes: number, onPiece: (sent: number) => void = () => {}): AsyncGenerator<Buffer> {
  const piece = Buffer.alloc(65_536, 0x20)
  let sent = 0
  while (sent < bytes) {
    const next = piece.subarray(0, Math.min(piece.length, bytes - sent))
    yield sent === 0 ? Buffer.concat([Buffer.from('%PDF-'), next.subarray(5)]) : next
    sent += next.length
    onPiece(sent)
  }
}

/** A picture that only has its header. */
export function pngOf(width: number, height: number): Buffer {
  const bytes = Buffer.from(png)
  bytes.writeUInt32BE(width, 16)
  bytes.writeUInt32BE(height, 20)
  return bytes
}

async function filesUnder(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
  return entries.filter((entry) => entry.isFile()).length
}

const countChunked = query({
  name: 'test.blobs_in_chunks',
  params: {},
  returns: { total: 'int' },
  sql: 'select count(distinct blob_id) as total from blob_chunks',
})

async function blobsInChunks({ rt }: TestRuntime): Promise<number> {
  return (await rt.store.read(countChunked, {}))[0]?.total ?? -1
}

const setMediaUsage = operation({
  name: 'test.set_media_usage',
  input: { account_id: 'text', bytes: 'int' },
  key: ['account_id'],
  sql: `insert into media_usage (account_id, bytes) select account_id, bytes from rows where true
        on conflict (account_id) do update set bytes = excluded.bytes`,
})

/** As if the account had stored this many bytes. */
export async function storedBefore({ rt }: TestRuntime, account_id: string, bytes: number): Promise<void> {
  const unit = new Unit()
  unit.add(setMediaUsage, { account_id, bytes })
  await rt.store.write(unit)
}

export async function bytesStored({ rt }: TestRuntime, account_id: string): Promise<number> {
  return (await rt.store.read(findMediaUsage, { account_id }))[0]?.bytes ?? 0
}
