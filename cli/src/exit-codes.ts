import { AppError, errorTable } from '@postern/server/words.ts'

export const exitCodes = { ok: 0, failure: 1, usage: 2, notFound: 3, auth: 4, rateLimited: 5 } as const

/** A command that cannot do what was asked; the message is the one sentence to print. */
export class CommandFailure extends Error {
  override readonly name = 'CommandFailure'
  readonly exitCode: number

  constructor(message: string, exitCode: number = exitCodes.failure) {
    super(message)
    this.exitCode = exitCode
  }
}

export function wrongUsage(message: string): CommandFailure {
  return new CommandFailure(message, exitCodes.usage)
}

export function notFound(message: string): CommandFailure {
  return new CommandFailure(message, exitCodes.notFound)
}

const byStatus: Record<number, number> = {
  400: exitCodes.usage,
  401: exitCodes.auth,
  403: exitCodes.auth,
  404: exitCodes.notFound,
  429: exitCodes.rateLimited,
}

/** Refusals of the domain, in the words of the command line; null for a bug. */
export function toCommandFailure(error: unknown): CommandFailure | null {
  if (error instanceof CommandFailure) return error
  if (!(error instanceof AppError)) return null
  return new CommandFailure(withDetails(error), byStatus[errorTable[error.code].status] ?? exitCodes.failure)
}

/** Further problems, each on a line of its own. */
function withDetails({ message, extras: { details = [] } }: AppError): string {
  const others = details.filter((detail) => !message.includes(detail.message)).slice(0, 20)
  return [message, ...others.map((detail) => `  ${detail.message}`)].join('\n')
}
