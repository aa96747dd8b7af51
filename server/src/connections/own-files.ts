import { isRecord } from '../lib/is-record.ts'
import type { WireBody } from '../platform/dialect.ts'
import type { Runtime } from '../runtime.ts'
import { findMediaOfPlatform } from '../store/media/media.ts'

/** Where a request names a file: here, or below one of these. */
const fileKey = 'media_id'
const fileObjects = ['image', 'video', 'document']

/** The same request with our ids for files that a tool uploaded; ids that are not known stay as they are. */
export async function withOwnFiles(rt: Runtime, accountId: string, body: WireBody): Promise<WireBody> {
  const named = new Set<string>()
  replaced(body, (id) => {
    named.add(id)
    return id
  })
  if (named.size === 0) return body
  const rows = await rt.store.read(findMediaOfPlatform, { account_id: accountId, platform_media_ids: [...named] })
  const ownIds = new Map(rows.map(({ id, platform_media_id }) => [platform_media_id, id]))
  return replaced(body, (id) => ownIds.get(id) ?? id) as WireBody
}

function replaced(value: unknown, ownId: (id: string) => string, isFile = false): unknown {
  if (Array.isArray(value)) return value.map((entry) => replaced(entry, ownId))
  if (!isRecord(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, entry]) => {
      const names = typeof entry === 'string' && (key === fileKey || (isFile && key === 'id'))
      return [key, names ? ownId(entry) : replaced(entry, ownId, fileObjects.includes(key))]
    }),
  )
}
