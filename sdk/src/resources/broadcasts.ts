import type { ApiPromise } from '../http/api-promise.ts'
import type { RequestOptions } from '../http/call.ts'
import { toSnake } from '../http/case.ts'
import { List, type Pagination, pageOf } from '../http/pagination.ts'
import { path } from '../http/path.ts'
import type { Transport } from '../http/request.ts'
import type { Answer } from '../http/wire.ts'
import type {
  Broadcast,
  BroadcastChanges,
  BroadcastCopy,
  BroadcastDraft,
  BroadcastEstimate,
  BroadcastFilters,
  BroadcastRecipient,
  BroadcastStart,
  RecipientFilters,
  RecipientInput,
  RecipientSource,
  UploadOptions,
  UploadResult,
  WaitOptions,
} from './broadcast-types.ts'

const root = '/v1/chat/broadcasts'
/** An upload takes as long as its file. */
const uploadTimeoutMs = 600_000

/** One template to many recipients. */
export class Broadcasts {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /** Creates a draft; with `recipients` and `start`, starts it in the same call. */
  create(draft: BroadcastDraft, options?: RequestOptions): ApiPromise<Broadcast> {
    return this.#transport.send({ method: 'POST', path: root, lines: asJson(withStart(draft)) }, options)
  }

  /** Lists broadcasts, newest first. */
  list(filters: BroadcastFilters = {}, options?: RequestOptions): List<Broadcast> {
    type Data = { broadcasts: Broadcast[]; pagination: Pagination }
    const page = (cursor: string | undefined) =>
      this.#transport
        .send<Data>({ method: 'GET', path: root, query: { ...filters, cursor } }, options)
        .map((data) => pageOf(data.broadcasts, data.pagination))
    return new List(page, filters.cursor)
  }

  /** One broadcast with its progress. */
  get(broadcastId: string, options?: RequestOptions): ApiPromise<Broadcast> {
    return this.#transport.send({ method: 'GET', path: path`/v1/chat/broadcasts/${broadcastId}` }, options)
  }

  /** Changes the given fields and leaves the others. */
  update(broadcastId: string, changes: BroadcastChanges, options?: RequestOptions): ApiPromise<Broadcast> {
    return this.#transport.send(
      { method: 'PUT', path: path`/v1/chat/broadcasts/${broadcastId}`, body: changes },
      options,
    )
  }

  /** Deletes a draft, or one that has ended. */
  delete(broadcastId: string, options?: RequestOptions): ApiPromise<Answer<'DeletedBroadcast'>> {
    return this.#transport.send({ method: 'DELETE', path: path`/v1/chat/broadcasts/${broadcastId}` }, options)
  }

  /**
   * Adds recipients. A file streams and is never held in memory; it is not repeated by itself. When its answer is lost, upload
   * it again: who is there already is not added twice.
   */
  upload(
    broadcastId: string,
    source: RecipientSource,
    { dryRun, replace, toColumn }: UploadOptions = {},
    options?: RequestOptions,
  ): ApiPromise<UploadResult> {
    const request = {
      method: 'POST',
      path: path`/v1/chat/broadcasts/${broadcastId}/recipients`,
      query: { dryRun, replace, toColumn },
    } as const
    if (isList(source)) return this.#transport.send({ ...request, lines: asJson({ recipients: source }) }, options)
    const [type, content] =
      'csv' in source ? (['text/csv', source.csv] as const) : (['application/x-ndjson', source.ndjson] as const)
    const lines = { type, content: asBody(content) }
    return this.#transport.send({ ...request, lines }, { timeoutMs: uploadTimeoutMs, maxRetries: 0, ...options })
  }

  /** The lines of an upload that were not taken, as an unread `Response` with CSV. */
  problems(broadcastId: string, uploadId: string, options?: RequestOptions): ApiPromise<Response> {
    const to = path`/v1/chat/broadcasts/${broadcastId}/uploads/${uploadId}/problems`
    return this.#transport.send({ method: 'GET', path: to, expect: 'response' }, options)
  }

  /** Whom it would reach, how long that takes, and what it costs at most. */
  estimate(broadcastId: string, options?: RequestOptions): ApiPromise<BroadcastEstimate> {
    return this.#transport.send({ method: 'GET', path: path`/v1/chat/broadcasts/${broadcastId}/estimate` }, options)
  }

  /** The message as the recipient of a line would see it. */
  preview(
    broadcastId: string,
    params: { line?: number } = {},
    options?: RequestOptions,
  ): ApiPromise<Answer<'BroadcastPreview'>> {
    const to = path`/v1/chat/broadcasts/${broadcastId}/preview`
    return this.#transport.send({ method: 'POST', path: to, body: params }, options)
  }

  /** Really sends the message of a line to up to 5 other people. */
  test(
    broadcastId: string,
    params: { to: readonly string[]; line?: number },
    options?: RequestOptions,
  ): ApiPromise<Answer<'BroadcastTest'>> {
    const to = path`/v1/chat/broadcasts/${broadcastId}/test`
    return this.#transport.send({ method: 'POST', path: to, body: params }, options)
  }

  /** Starts a draft, now or later. With `recipients` or `maxCost` only if they hold. */
  start(broadcastId: string, params: BroadcastStart = {}, options?: RequestOptions): ApiPromise<Broadcast> {
    const to = path`/v1/chat/broadcasts/${broadcastId}/start`
    return this.#transport.send({ method: 'POST', path: to, body: withStart(params) }, options)
  }

  /** No further recipient is taken once this has resolved. */
  pause(broadcastId: string, options?: RequestOptions): ApiPromise<Broadcast> {
    return this.#transport.send({ method: 'POST', path: path`/v1/chat/broadcasts/${broadcastId}/pause` }, options)
  }

  /** Goes on where it was paused. */
  resume(broadcastId: string, options?: RequestOptions): ApiPromise<Broadcast> {
    return this.#transport.send({ method: 'POST', path: path`/v1/chat/broadcasts/${broadcastId}/resume` }, options)
  }

  /** Ends it for good; whose turn has not come gets nothing. */
  cancel(broadcastId: string, options?: RequestOptions): ApiPromise<Broadcast> {
    return this.#transport.send({ method: 'POST', path: path`/v1/chat/broadcasts/${broadcastId}/cancel` }, options)
  }

  /** Recipients in their order, and what became of each. */
  recipients(broadcastId: string, filters: RecipientFilters = {}, options?: RequestOptions): List<BroadcastRecipient> {
    type Data = { recipients: BroadcastRecipient[]; pagination: Pagination }
    const from = path`/v1/chat/broadcasts/${broadcastId}/recipients`
    const page = (cursor: string | undefined) =>
      this.#transport
        .send<Data>({ method: 'GET', path: from, query: { ...filters, cursor } }, options)
        .map((data) => pageOf(data.recipients, data.pagination))
    return new List(page, filters.cursor)
  }

  /** The same as an unread `Response` with CSV. */
  export(
    broadcastId: string,
    filters: Pick<RecipientFilters, 'result' | 'code'> = {},
    options?: RequestOptions,
  ): ApiPromise<Response> {
    const from = path`/v1/chat/broadcasts/${broadcastId}/recipients.csv`
    return this.#transport.send({ method: 'GET', path: from, query: filters, expect: 'response' }, options)
  }

  /** A new draft with some of the recipients, such as those with the result `failed`. */
  copy(broadcastId: string, params: BroadcastCopy, options?: RequestOptions): ApiPromise<Broadcast> {
    return this.#transport.send(
      { method: 'POST', path: path`/v1/chat/broadcasts/${broadcastId}/copy`, body: params },
      options,
    )
  }

  /** Resolves with the broadcast when it has ended, or has the status that is waited for. */
  async wait(
    broadcastId: string,
    { until = 'completed', everyMs = 5_000, signal }: WaitOptions = {},
  ): Promise<Broadcast> {
    for (;;) {
      const broadcast = await this.get(broadcastId, signal === undefined ? {} : { signal })
      if ([until, 'completed', 'canceled'].includes(broadcast.status)) return broadcast
      await this.#transport.clock.sleep(everyMs, signal)
    }
  }
}

function withStart<Params extends BroadcastDraft | BroadcastStart>(params: Params): Params {
  const { startAt } = params
  return startAt instanceof Date ? { ...params, startAt: startAt.toISOString() } : params
}

/** Names of columns are content: they pass as they are. */
function asJson({ recipients, ...others }: { recipients?: readonly RecipientInput[] | null }) {
  const list = recipients?.map(({ values, ...recipient }) => ({ ...(toSnake(recipient) as object), values }))
  const body = { ...(toSnake(others) as object), ...(list && { recipients: list }) }
  return { type: 'application/json', content: JSON.stringify(body) }
}

function isList(source: RecipientSource): source is Extract<RecipientSource, readonly unknown[]> {
  return Array.isArray(source)
}

type Content = Extract<RecipientSource, { csv: unknown }>['csv']

/** What fetch can send: whole, or as a stream. */
function asBody(content: Content): string | Blob | ReadableStream<Uint8Array> {
  if (typeof content === 'string' || content instanceof Blob || content instanceof ReadableStream) return content
  // In the interface the type of its buffer would need TypeScript 5.7.
  if (content instanceof Uint8Array) return new Blob([content as Uint8Array<ArrayBuffer>])
  const pieces = content[Symbol.asyncIterator]()
  const encoder = new TextEncoder()
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await pieces.next()
      if (done) controller.close()
      else controller.enqueue(typeof value === 'string' ? encoder.encode(value) : value)
    },
    async cancel() {
      await pieces.return?.()
    },
  })
}
