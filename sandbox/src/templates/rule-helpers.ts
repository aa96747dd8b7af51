import { graphError, invalid, missing } from '../http/errors.ts'
import { isRecord, type Json, lengthOf } from '../http/json.ts'
import { kindOfMime } from '../media/media-kinds.ts'
import type { Media } from '../world.ts'

/** Finds an uploaded file the sender may use. */
export type MediaLookup = (id: string) => Media | undefined

export function requiredText(name: string, value: unknown): string {
  if (value === undefined || value === null || value === '') throw missing(name)
  if (typeof value !== 'string') throw invalid(`Parameter '${name}' must be text`)
  return value
}

export function requiredObject(name: string, value: unknown): Json {
  if (value === undefined) throw missing(name)
  if (!isRecord(value)) throw invalid(`Parameter '${name}' must be an object`)
  return value
}

export function atMost(name: string, value: string, most: number): void {
  if (lengthOf(value) > most) throw invalid(`Param ${name} must be at most ${most} characters long.`)
}

/** Exactly one of id and link; the id known and of the right kind, the link an http(s) URL. Links are never fetched. */
export function checkMediaSource(type: string, content: Json, findMedia: MediaLookup): void {
  const { id, link } = content
  if (id === undefined && link === undefined) throw missing(`${type}.id or ${type}.link`)
  if (id !== undefined && link !== undefined)
    throw invalid(`Parameters '${type}.id' and '${type}.link' exclude each other`)
  if (link !== undefined) {
    if (typeof link !== 'string' || !/^https?:\/\//i.test(link) || !URL.canParse(link)) {
      throw invalid(`Parameter '${type}.link' is not a valid URL`)
    }
    return
  }
  const media = findMedia(String(id))
  if (media === undefined)
    throw invalid(`Media with ID ${String(id)} does not exist, has expired or belongs to another number`)
  const kind = kindOfMime(media.mimeType)
  if (kind !== type) throw invalid(`Media with ID ${media.id} is ${media.mimeType} and cannot be sent as ${type}`)
}

/** Degrees as a number or as a string; both are on Meta's pages. */
export function checkLocation(where: string, content: Json): void {
  onlyKeys(where, content, ['latitude', 'longitude', 'name', 'address', 'url'])
  for (const [name, most] of [
    ['latitude', 90],
    ['longitude', 180],
  ] as const) {
    const value = content[name]
    if (value === undefined || value === '') throw missing(`${where}.${name}`)
    const degrees = typeof value === 'string' ? Number(value) : value
    if (typeof degrees !== 'number' || !(Math.abs(degrees) <= most)) {
      throw invalid(`Parameter '${where}.${name}' must be a number between -${most} and ${most}`)
    }
  }
}

/** The platform refuses misspelt members rather than ignoring them. */
export function onlyKeys(where: string, content: Json, keys: readonly string[]): void {
  for (const key in content) {
    if (!keys.includes(key)) {
      throw graphError(100, `Unexpected key "${key}" on param "${where}".`, {
        message: `(#100) Unexpected key "${key}" on param "${where}".`,
      })
    }
  }
}
