import type { ChannelNumber } from '../channels/require-number.ts'
import { AppError } from '../contract/app-error.ts'
import type { Runtime } from '../runtime.ts'

/** A session of a resumable upload: the platform's, and the number whose app opened it. */
type Session = { theirs: string; numberId: string }

const purpose = 'graph upload'
const prefix = 'upload:'

/** The id that a tool gets for it. It says all there is to know, to the connection that opened it alone. */
export function sealSession(rt: Runtime, connectionId: string, session: Session): string {
  return `${prefix}${rt.secrets.seal(purpose, connectionId, JSON.stringify(session))}`
}

export function openSession(rt: Runtime, connectionId: string, id: string): Session {
  try {
    return JSON.parse(rt.secrets.open(purpose, connectionId, id.slice(prefix.length)).toString('utf8')) as Session
  } catch {
    throw new AppError('endpoint_not_found', 'This connection has no such upload.')
  }
}

/** Files for headers and photos are uploaded to an app. */
export function appOf({ credentials }: ChannelNumber): string {
  if (credentials.appId !== undefined) return credentials.appId
  throw new AppError('channel_not_connected', 'The channel has no app id, which uploads of samples and photos need.')
}
