import { type WatchedCall, watchedCalls } from '../contract/watched.ts'
import type { Platform } from '../platform.ts'
import { type Call, edgeOf, type Reply } from './http.ts'

/** What to tell of a call once its answer is known, or null where nobody listens. A call may remove what it names. */
export function watchCall(platform: Platform, call: Call): ((reply: Reply) => void) | null {
  if (!watchedCalls.hasSubscribers) return null
  const name = nameOfCall(platform, call)
  return ({ status, body }) => {
    // The media host answers a refusal without a body.
    if (body === '') return
    const { access_token: _, appsecret_proof: __, ...request } = call.params
    const answer: unknown = typeof body === 'string' ? JSON.parse(body) : new Blob([])
    watchedCalls.publish({ call: name, status, request, answer } satisfies WatchedCall)
  }
}

/** `POST /v26.0/1065…/messages` is the call `POST /{phone_number}/messages`. */
export function nameOfCall({ world }: Platform, { method, path }: Call): string {
  const [first = ''] = path
  if (first === 'whatsapp_business') return `${method} /{media_bytes}`
  if (first === 'profile_picture') return `${method} /{profile_picture}`
  const kinds = { phone_number: world.numbers, waba: world.wabas, app: world.apps, template: world.templates }
  const nodes = Object.entries({ ...kinds, media: world.media })
  const kind = first.startsWith('upload') ? 'upload' : nodes.find(([, known]) => known.has(first))?.[0]
  const edge = edgeOf(path)
  return `${method} /${kind === undefined ? first : `{${kind}}`}${edge === '' ? '' : `/${edge}`}`
}
