import type { MediaReference } from '../outbound-message.ts'
import type { JsonObject } from './lenient-json.ts'

export function media(reference: MediaReference): JsonObject {
  return 'link' in reference ? { link: reference.link } : { id: reference.platformMediaId }
}

/** The entries that have a value: the platform refuses explicit nulls. */
export function given(entries: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(entries).filter(([, value]) => value !== undefined && value !== null))
}
