import type { Static } from 'typebox'
import type { ApiError, Upstream } from './envelope.ts'
import type { ErrorCode } from './errors.ts'
import { bodyProblem, type FieldCode, type FieldProblem } from './schema.ts'

/** The platform's error, passed on for support. */
export type UpstreamFailure = Static<typeof Upstream>

/** The quota that was exceeded, as the error body shows it. */
export type QuotaFacts = NonNullable<Static<typeof ApiError>['limit']>

export type AppErrorExtras = {
  details?: FieldProblem[]
  retryAfterSeconds?: number
  /** The limit is that of one customer: others can be written to. */
  ofCustomer?: true
  requiredScope?: string
  limit?: QuotaFacts
  /** Provisional id under which the stored record can be read. */
  messageId?: string
  upstream?: UpstreamFailure
  headers?: Record<string, string>
  cause?: unknown
}

/**
 * A refusal the caller can act on. `detail` is one sentence for this case; it never holds secrets, message texts or
 * whole phone numbers, because it reaches logs and screens.
 */
export class AppError extends Error {
  override readonly name = 'AppError'
  readonly code: ErrorCode
  readonly extras: AppErrorExtras

  constructor(code: ErrorCode, detail: string, extras: AppErrorExtras = {}) {
    super(detail, extras.cause === undefined ? undefined : { cause: extras.cause })
    this.code = code
    this.extras = extras
  }
}

/**
 * All wrong fields of one request at once, as `validation_failed` reports them; `summary` where there is no field to name.
 */
export function validationFailed(problems: FieldProblem[], summary = summarise(problems)): AppError {
  return new AppError('validation_failed', summary, { details: problems.slice(0, problemsMax) })
}

/** One wrong field of the body. */
export function invalidField(field: string, code: FieldCode, message: string): AppError {
  return validationFailed([bodyProblem(field, code, message)])
}

const problemsMax = 20

export function summarise(problems: FieldProblem[]): string {
  const [first] = problems
  if (!first) return 'The request is not valid.'
  const named = problems.slice(0, 3).map((problem) => `'${problem.field}' (${problem.code})`)
  // Sentences about unknown fields name them.
  if (problems.length === 1 && first.code === 'unknown_field' && first.message.includes(`'${first.field}'`)) {
    return first.message
  }
  if (problems.length === 1) return `'${first.field}' is not valid: ${first.message}`
  const rest = problems.length > 3 ? ` and ${problems.length - 3} more` : ''
  return `${problems.length} fields are invalid: ${named.join(', ')}${rest}. See details.`
}
