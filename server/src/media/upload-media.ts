import { AppError, invalidField } from '../contract/app-error.ts'
import { acceptedTypes } from '../contract/media.ts'
import type { Runtime } from '../runtime.ts'
import { createIntake, type Staged, type Verdict } from './intake.ts'
import { requireMediaRoomLeft } from './media-room.ts'
import { bareMime, mediaTypes, typeNamed } from './types/media-kinds.ts'
import { textRule } from './types/plain-text.ts'
import { chooseType, nameOfFormat, type Sniffed, sniffMedia } from './types/sniff-media.ts'

export type IncomingFile = { content: AsyncIterable<Uint8Array>; declaredType: string | null }

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
