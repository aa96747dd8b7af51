import { AppError } from '../../contract/app-error.ts'
import type { Runtime } from '../../runtime.ts'
import type { AccessRow } from '../../store/accounts/tokens.ts'

/** The last moment a token may be exchanged: some time after its own end, and never after the end of its chain. */
export function refreshableUntil(
  { config }: Pick<Runtime, 'config'>,
  row: Pick<AccessRow, 'expires_at' | 'chain_created_at'>,
): number {
  const graceEnd = row.expires_at + config.tokenRefreshGraceSeconds * 1_000
  return Math.min(graceEnd, row.chain_created_at + config.tokenChainMaxAgeSeconds * 1_000)
}

/** Of a token past that moment. */
export function tooOld(): AppError {
  return new AppError(
    'token_refresh_window_closed',
    'The token was issued or expired too long ago. Get a new one with the API key at POST /v1/auth/token.',
  )
}
