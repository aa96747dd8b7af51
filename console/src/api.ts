import createClient from 'openapi-fetch'
import type { components, paths } from './api-types.ts'
import { neutralNames } from './neutral-names.ts'

export type Schemas = components['schemas']

/** A refusal in the API's own words. `code` is stable; the sentence is for the person in front of the screen. */
export class ApiFailure extends Error {
  override readonly name = 'ApiFailure'
  readonly code: string
  readonly requestId: string | null
  readonly requiredScope: string | null
  readonly fields: ReadonlyMap<string, string>
  readonly retryAfterSeconds: number | null
  /** The same request may succeed later; a refusal stays one. */
  readonly isRetryable: boolean

  constructor(error: Partial<Schemas['ApiError']>) {
    super(error.message ?? 'The gateway did not respond. Check the connection, then try again.')
    this.code = error.code ?? 'no_answer'
    this.requestId = error.request_id ?? null
    this.requiredScope = error.required_scope ?? null
    this.retryAfterSeconds = error.retry_after ?? null
    this.isRetryable = error.retryable ?? true
    this.fields = new Map(error.details?.map(({ field, message }) => [field, message]))
  }
}

/** The account that this page shows. Another tab may have switched: the gateway rejects what is meant for this one then. */
let shown: string | null = null
const ofThePerson = [
  '/console/api/session',
  '/console/api/session/account',
  '/console/api/sign-in',
  '/console/api/setup',
]

export function shownAccount(): string | null {
  return shown
}

export function showAccount(id: string): void {
  shown = id
}

const idleAfterMinutes = 5
/** The gateway answers a read in less. Without an answer by then its connection is dead, as after the sleep of a laptop. */
const readMaxMs = 15_000

/** Ends a read that nobody answers, so that it is asked again on another connection. What a write came to must be waited for. */
async function fetchInTime(request: Request): Promise<Response> {
  if (request.method !== 'GET') return fetch(request)
  const limit = new AbortController()
  const timer = setTimeout(() => limit.abort(), readMaxMs)
  try {
    return await fetch(request, { signal: AbortSignal.any([request.signal, limit.signal]) })
  } finally {
    clearTimeout(timer)
  }
}

/** Typed by docs/api/console.json. Use it inside `call`, which turns refusals into ApiFailure. */
export const api = createClient<paths>({
  baseUrl: '',
  headers: { accept: 'application/json' },
  fetch: fetchInTime,
})
api.use({
  onRequest({ request }) {
    if (request.method !== 'GET') request.headers.set('content-type', 'application/json')
    const isOfAccount = !ofThePerson.includes(new URL(request.url).pathname)
    if (shown !== null && isOfAccount) request.headers.set('x-postern-account', shown)
    // What live updates fetch for nobody must not keep the session alive.
    if (minutesSinceInput() > idleAfterMinutes) request.headers.set('x-postern-idle', '1')
    return request
  },
})

type Answer<T> = { data?: { success: true; data: T }; error?: unknown; response: Response }

/** The `data` of an answer; throws ApiFailure for everything else. */
export async function call<T>(request: Promise<Answer<T>>): Promise<T> {
  const answer = await request.catch(() => null)
  if (answer === null) throw new ApiFailure({})
  if (answer.data) return neutralNames(answer.data.data)
  throw refusalIn(answer.error)
}

/** Gives a file to the gateway, to be sent by its id. */
export function uploadFile(file: File): Promise<Schemas['MediaFile']> {
  const form = new FormData()
  form.set('file', file, file.name)
  return call(post('/console/api/media', form))
}

type Rows = { broadcastId: string; file: File; toColumn: string }

/** Streams a CSV file with recipients from the disk to the gateway, which reads the rows as they come. */
export function uploadRows(
  { broadcastId, file, toColumn }: Rows,
  onPart: (part: number) => void,
): Promise<Schemas['UploadResult']> {
  const path = `/console/api/broadcasts/${broadcastId}/recipients?${new URLSearchParams({ to_column: toColumn })}`
  const csv = file.slice(0, file.size, 'text/csv')
  return call(post(path, csv, (request) => sendWithProgress(request, onPart)))
}

type Upload = { path: string; body: XMLHttpRequestBodyInit; headers: Record<string, string> }

/** `fetch` does not say how much of a body has left. */
function sendWithProgress({ path, body, headers }: Upload, onPart: (part: number) => void): Promise<Response> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open('POST', path)
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value)
    request.upload.onprogress = ({ loaded, total }) => onPart(loaded / total)
    request.onload = () => resolve(new Response(request.responseText, { status: request.status }))
    request.onerror = reject
    request.send(body)
  })
}

const sendByFetch = ({ path, ...request }: Upload) => fetch(path, { method: 'POST', ...request })

async function post<T>(path: string, body: Upload['body'], send = sendByFetch): Promise<Answer<T>> {
  const response = await send({ path, body, headers: shown === null ? {} : { 'x-postern-account': shown } })
  const answer = (await response.json()) as { data?: T }
  return response.ok && answer.data
    ? { data: { success: true as const, data: answer.data }, response }
    : { error: answer, response }
}

export type FileAnswer = { data?: Blob; error?: unknown; response: Response }

/** A file and the name the gateway gives it. One that breaks off is no file: it throws as a lost connection does. */
export async function callFile(request: Promise<FileAnswer>): Promise<{ blob: Blob; filename: string }> {
  const answer = await request.catch(() => null)
  if (answer === null) throw new ApiFailure({})
  if (!answer.data) throw refusalIn(answer.error)
  const [, filename = 'export.csv'] =
    /filename="([^"]+)"/.exec(answer.response.headers.get('content-disposition') ?? '') ?? []
  return { blob: answer.data, filename }
}

function refusalIn(error: unknown): ApiFailure {
  return new ApiFailure((error as { error?: Schemas['ApiError'] } | undefined)?.error ?? {})
}

export function toFailure(error: unknown): ApiFailure {
  return error instanceof ApiFailure ? error : new ApiFailure({ message: (error as Error).message })
}

let lastInputAt = performance.now()

for (const type of ['pointerdown', 'keydown', 'wheel']) {
  window.addEventListener(type, () => (lastInputAt = performance.now()), { passive: true, capture: true })
}

/** How long nobody has touched this page. */
function minutesSinceInput(): number {
  return (performance.now() - lastInputAt) / 60_000
}
