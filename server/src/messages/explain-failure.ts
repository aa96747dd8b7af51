import { errorTable } from '../contract/errors.ts'
import type { MessageFailure } from './message-record.ts'

/** What happened, why, and what to do, in the words of the table of errors and of the platform. */
export function explainFailure({ code, message, upstream }: MessageFailure) {
  const known = code in errorTable ? errorTable[code as keyof typeof errorTable] : null
  return {
    code,
    what: known?.title ?? message,
    why: upstream?.detail ?? upstream?.title ?? null,
    help: known?.help ?? 'Look the code up in the list of errors.',
    upstream_code: upstream?.code ?? null,
  }
}
