/* oxlint-disable unicorn/no-thenable -- being awaitable is the purpose of this class */
import type { RateLimit } from './rate-limit.ts'

/** The facts of an HTTP answer beside its data. */
export interface AnswerFacts {
  /** HTTP status. */
  status: number
  /** All response headers. */
  headers: Headers
  /** Id of the request, for support and logs. */
  requestId: string | undefined
  /** What is left of the plan's quotas; `undefined` on a plan without quotas. */
  rateLimit: RateLimit | undefined
  /** True when the gateway repeated a stored answer because it had seen the idempotency key before. */
  idempotentReplayed: boolean
}

/** Data of a call together with its HTTP answer. */
export interface WithResponse<T> {
  data: T
  response: AnswerFacts
}

/**
 * What every call returns: a promise of the data that can also tell about the HTTP answer.
 *
 * ```ts
 * const sent = await postern.messages.send({ to, message })
 * const { data, response } = await postern.messages.send({ to, message }).withResponse()
 * console.log(response.requestId, response.rateLimit?.hour?.remaining)
 * ```
 */
export class ApiPromise<T> implements Promise<T> {
  readonly #answer: Promise<WithResponse<T>>
  readonly [Symbol.toStringTag] = 'ApiPromise'

  /** Made by the client. */
  constructor(answer: Promise<WithResponse<T>>) {
    this.#answer = answer
  }

  /** The data together with status, headers, request id and rate-limit state. */
  withResponse(): Promise<WithResponse<T>> {
    return this.#answer
  }

  /** The same call with its data seen through `view`. */
  map<U>(view: (data: T) => U): ApiPromise<U> {
    return new ApiPromise(this.#answer.then(({ data, response }) => ({ data: view(data), response })))
  }

  /** As on any promise; the value is the data alone. */
  // biome-ignore lint/suspicious/noThenProperty: being awaitable is the purpose of this class
  then<R1 = T, R2 = never>(
    onFulfilled?: ((data: T) => R1 | PromiseLike<R1>) | null,
    onRejected?: ((reason: unknown) => R2 | PromiseLike<R2>) | null,
  ): Promise<R1 | R2> {
    return this.#answer.then(({ data }) => data).then(onFulfilled, onRejected)
  }

  /** As on any promise. Failed calls reject with a `PosternError`. */
  catch<R = never>(onRejected?: ((reason: unknown) => R | PromiseLike<R>) | null): Promise<T | R> {
    return this.then(null, onRejected)
  }

  /** As on any promise. */
  finally(onFinally?: (() => void) | null): Promise<T> {
    return this.then().finally(onFinally)
  }
}
