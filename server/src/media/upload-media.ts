import type { Static } from 'typebox'
import {
  addClaim,
  addOutcome,
  findOutcome,
  fingerprintOf,
  type IdempotencyKey,
  type Outcome,
} from '../access/idempotency.ts'
import { AppError, invalidField, validationFailed } from '../contract/app-error.ts'
import { acceptedTypes, type MediaFile } from '../contract/media.ts'
import { bodyProblem, type FieldCode, type FieldProblem } from '../contract/schema.ts'
import { formatInstant } from '../lib/instant.ts'
import type { Runtime } from '../runtime.ts'
import { ConditionFailed } from '../store/engine/store-error.ts'
import type { MediaRow } from '../store/media/media.ts'
import { discardBlob } from './blobs/loose-blobs.ts'
import { createIntake, keepMedia, requireMediaRoomLeft, type Staged, type Verdict } from './keep-media.ts'
import { textRule } from './types/inspect-content.ts'
import { bareMime, isKnownEnding, mediaTypes, typeNamed } from './types/media-kinds.ts'
import { chooseType, nameOfFormat, type Sniffed, sniffMedia } from './types/sniff-media.ts'

type IncomingFile = { content: AsyncIterable<Uint8Array>; declaredType: string | null }

/** Takes an upload to disk while it streams; whatever goes wrong, nothing of it stays. */
export async function stageUpload(rt: Runtime, accountId: string, file: IncomingFile): Promise<Staged> {
  await requireMediaRoomLeft(rt, accountId)
  const intake = createIntake(rt, accountId, (head) => judgeUpload(head, file.declaredType))
  try {
    for await (const chunk of file.content) await intake.write(chunk)
    return await intake.finish()
  } catch (error) {
    await intake.discard()
    throw error
  }
}

/** These contradict nothing; `text/plain` is what a part without a type counts as (RFC 7578). */
const undeclared = ['', 'text/plain', 'application/octet-stream', 'binary/octet-stream']

async function judgeUpload(head: Uint8Array, declaredType: string | null): Promise<Verdict> {
  if (head.length === 0) throw emptyFile()
  const declared = bareMime(declaredType ?? '')
  const sniffed = await sniffMedia(head)
  const found = chooseType(sniffed, declared)
  if (!found && (undeclared.includes(declared) || !typeNamed(declared))) throw await unsupported(head, sniffed)
  // Clients declare what the name ends in; a PNG called .jpg is a picture all the same, and its name is corrected.
  if (!found || !(undeclared.includes(declared) || typeNamed(declared)?.kind === found.kind)) {
    const name = found?.mimeType ?? (await nameOfFormat(head)) ?? 'something else'
    const really = name === declared ? `a variant of ${name} that WhatsApp does not accept` : name
    throw new AppError(
      'media_content_mismatch',
      `The file is declared as ${shown(declared)}, but its bytes are ${really}.`,
    )
  }
  return found
}

export async function unsupported(head: Uint8Array, { possible }: Sniffed): Promise<AppError> {
  return new AppError(
    'media_type_not_supported',
    `${await whatItIs(head, possible)} WhatsApp accepts ${acceptedTypes}.`,
  )
}

async function whatItIs(head: Uint8Array, possible: Sniffed['possible']): Promise<string> {
  if (possible.includes(mediaTypes.text)) return 'Text is accepted with the Content-Type text/plain.'
  if (possible.length > 0) {
    const names = possible.map(({ mimeType }) => mimeType).join(', ')
    return `The file is an Office document, but its first bytes do not show which kind: set its Content-Type (${names}).`
  }
  const name = await nameOfFormat(head)
  return name ? `The file is ${name}.` : `The file has an unknown format; ${textRule}.`
}

function emptyFile(): AppError {
  return invalidField('file', 'too_short', 'The file is empty.')
}

/** A caller's own text, as short and plain as a type name is. */
function shown(declared: string): string {
  return declared.replace(/[^\w.+/-]/g, '').slice(0, 80) || 'something unreadable'
}

type UploadNames = {
  /** The form's own field; it wins. */
  field: string | null
  /** The file name in the multipart header. */
  part: string | null
}

type CreatedMedia = { record: MediaRecord; replayed: boolean }

/**
 * The second half of an upload: the bytes are on disk, now they become a file with an id. A repeat under the same
 * idempotency key with the same bytes and name answers with the first file, and its bytes are let go.
 */
export async function createMedia(
  rt: Runtime,
  staged: Staged,
  names: UploadNames,
  idempotencyKey: string | null,
): Promise<CreatedMedia> {
  try {
    const given = names.field === null ? cleanFilename(names.part) : requireFilename(names.field)
    const filename = withEndingOf(given, staged.mimeType)
    if (idempotencyKey === null)
      return { record: toMediaRecord(await keepMedia(rt, staged, { filename })), replayed: false }
    return await createOnce(rt, staged, filename, keyOf(staged, filename, idempotencyKey))
  } catch (error) {
    await discardBlob(rt, staged)
    throw error
  }
}

async function createOnce(
  rt: Runtime,
  staged: Staged,
  filename: string | null,
  request: IdempotencyKey,
): Promise<CreatedMedia> {
  const earlier = await findOutcome(rt, request)
  if (earlier) {
    await discardBlob(rt, staged)
    return { record: recordOf(earlier), replayed: true }
  }
  try {
    const row = await keepMedia(rt, staged, { filename }, (unit, created) => {
      addClaim(rt, unit, request, created.id)
      addOutcome(unit, request, created.id, { kind: 'answer', status: 201, data: toMediaRecord(created) })
    })
    return { record: toMediaRecord(row), replayed: false }
  } catch (error) {
    // Two requests with one key finished at the same moment; the other was first.
    const other = isTaken(error) ? await findOutcome(rt, request) : null
    if (!other) throw error
    return { record: recordOf(other), replayed: true }
  }
}

function keyOf({ accountId, sha256 }: Staged, filename: string | null, key: string): IdempotencyKey {
  return { accountId, endpoint: 'POST /v1/chat/media', key, fingerprint: fingerprintOf({ sha256, filename }) }
}

function isTaken(error: unknown): boolean {
  return error instanceof ConditionFailed && error.operation === 'idempotency.claim'
}

/** Only finished uploads are kept with their key. */
function recordOf(outcome: Outcome): MediaRecord {
  if (outcome.kind === 'refusal') throw new Error('An upload under this key was kept as a refusal.')
  return outcome.data as MediaRecord
}

const filenameLengthMax = 240

// Control characters end headers and lines; the others turn the direction of text and make `exe.pdf` of `fdp.exe`.
const unsafe = /[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu

/** The problem with a name given in the field `filename`. */
export function checkFilename(name: string | null | undefined, field: string): FieldProblem[] {
  const problem = (code: FieldCode, message: string): FieldProblem[] => [bodyProblem(field, code, message)]
  if (name === null || name === undefined) return []
  if (name.trim() === '') return problem('too_short', 'Give a name, or leave the field out.')
  if ([...name].length > filenameLengthMax) return problem('too_long', `At most ${filenameLengthMax} characters.`)
  if (name.search(unsafe) >= 0 || /[\\/]/.test(name) || !name.isWellFormed()) {
    return problem('invalid_format', 'Give a file name without path, line breaks or control characters.')
  }
  return []
}

function requireFilename(name: string): string {
  const problems = checkFilename(name, 'filename')
  if (problems.length > 0) throw validationFailed(problems)
  return name.trim()
}

/** A name that came along with the file, from a browser, a server or the platform: made harmless without a word. */
export function cleanFilename(name: string | null | undefined): string | null {
  const last = (name ?? '').toWellFormed().split(/[\\/]/).at(-1) ?? ''
  const harmless = last.replace(unsafe, '').trim()
  const short = [...harmless].slice(0, filenameLengthMax).join('')
  return short === '' || short === '.' || short === '..' ? null : short
}

/** `photo.jpg` with the bytes of a PNG becomes `photo.png`; endings that are none of our types stay. */
function withEndingOf(name: string | null, mimeType: string): string | null {
  const type = typeNamed(mimeType)
  const ending = /\.(\w+)$/.exec(name ?? '')
  const given = ending?.[1]?.toLowerCase() ?? ''
  if (!type || !name || !ending || !isKnownEnding(given) || type.endings.includes(given)) return name
  return `${name.slice(0, ending.index)}.${type.extension}`
}

/** For files without a name; the platform wants one with every upload. */
export function filenameOr(name: string | null, mimeType: string): string {
  const extension = typeNamed(mimeType)?.extension
  return name ?? (extension ? `file.${extension}` : 'file')
}

/** RFC 6266: a plain name for old clients, and the real one in UTF-8. Neither can leave its quotes or its header. */
export function attachment(name: string): string {
  const plain = name.replace(/[^\x20-\x7e]|["\\%]/g, '_')
  const encoded = encodeURIComponent(name).replace(/['()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`)
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`
}

/** A file as the API shows it. Size and hash of an inbound file are known once it has been fetched. */
export type MediaRecord = Static<typeof MediaFile>

export function toMediaRecord(row: MediaRow): MediaRecord {
  return {
    media_id: row.id,
    type: row.kind as MediaRecord['type'],
    mime_type: row.mime_type,
    filename: row.filename,
    size: row.size,
    sha256: row.sha256,
    created_at: formatInstant(row.created_at),
    expires_at: formatInstant(row.expires_at),
  }
}
