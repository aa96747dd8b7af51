import type { RateLimit } from './rate-limit.ts'

/** What `onRequest` is told before each attempt. There are no credentials, bodies or query values in it. */
export interface RequestNotice {
  method: string
  /** Path without the query, because filters can hold phone numbers. */
  path: string
  /** 1 for the first attempt. */
  attempt: number
  /** Key of a POST, the same on every attempt. */
  idempotencyKey: string | undefined
}

/** What `onResponse` is told after each attempt. */
export interface ResponseNotice extends RequestNotice {
  /** HTTP status, `undefined` when no answer arrived. */
  status: number | undefined
  /** Code of the error, `undefined` on success. */
  errorCode: string | undefined
  /** Id of the request at the gateway. */
  requestId: string | undefined
  /** From the start of the attempt until its answer was read. */
  durationMs: number
  /** Quotas after the attempt, when the gateway counts them. */
  rateLimit: RateLimit | undefined
}

/** Called for every attempt, token requests included. What a hook throws is ignored: watching changes nothing. */
export interface Hooks {
  onRequest?: ((notice: RequestNotice) => void) | undefined
  onResponse?: ((notice: ResponseNotice) => void) | undefined
}

/**
 * Calls a hook. An exception out of `onResponse` would make a message that was sent look failed, and be sent again.
 */
export function notify<N>(hook: ((notice: N) => void) | undefined, notice: N): void {
  try {
    hook?.(notice)
  } catch {
    // Ignored, as documented on Hooks.
  }
}
