import type { AppError } from '../../contract/app-error.ts'
import type { ChatPlatform } from '../../platform/chat-platform.ts'
import type { Dialect } from '../../platform/dialect.ts'
import { PlatformError } from '../../platform/platform-error.ts'
import { type Problem, type ProblemContext, toProblem } from './problem.ts'

/** Whether the address, as it came, is one where clients of Meta's dialect look for Meta's errors. */
export function isGraph(url: string): boolean {
  return /^\/graph(?:[/?]|$)/.test(url)
}

/** The same refusal in Meta's shape: clients look into it for a code, also in that of an overloaded process. */
export function toGraphProblem(dialect: Dialect, error: AppError, requestId: string): Problem & { code: number } {
  const { cause, retryAfterSeconds, headers } = error.extras
  const theirs = cause instanceof PlatformError && cause.answer ? dialect.passedRefusal(cause.answer) : null
  const { status, body } =
    theirs ?? dialect.refusal({ code: error.code, sentence: error.message, requestId, extras: error.extras })
  const wait = retryAfterSeconds ?? (status === 503 || status === 429 ? 1 : undefined)
  const waiting = wait === undefined ? {} : { 'retry-after': String(wait) }
  return { status, headers: { ...headers, ...waiting }, body, code: dialect.errorCode({ status, body }) ?? 0 }
}

/** What a refusal looks like at this address. */
export function problemAt(
  { platform }: { platform: Pick<ChatPlatform, 'dialect'> },
  url: string,
  error: AppError,
  context: ProblemContext,
): Problem {
  return isGraph(url) ? toGraphProblem(platform.dialect, error, context.requestId) : toProblem(error, context)
}
