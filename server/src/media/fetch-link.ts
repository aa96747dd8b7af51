import { createHash } from 'node:crypto'
import { AppError } from '../contract/app-error.ts'
import { bodyProblem } from '../contract/schema.ts'
import type { Runtime } from '../runtime.ts'
import { type MediaRow, mediaOfLink } from '../store/media/media.ts'
import { createIntake, type Intake, keepMedia, tooLarge, type Verdict } from './keep-media.ts'
import { requireBytes, type StoredMedia, shareTransfer } from './open-content.ts'
import { kindBytesMax, type MediaKind } from './types/media-kinds.ts'
import { chooseType, sniffMedia } from './types/sniff-media.ts'
import { cleanFilename, unsupported } from './upload-media.ts'

/** The platform's own fetcher remembers a link for as long: a campaign of thousands fetches its picture once. */
const freshMs = 600_000

/** The file behind a link, fetched under the guard against private addresses, judged by its bytes, and kept. */
export async function fetchLink(rt: Runtime, accountId: string, link: string, kind: MediaKind): Promise<StoredMedia> {
  // The address may hold a secret of the caller, so only its hash is kept.
  const linkHash = createHash('sha256').update(link).digest('hex')
  const since = rt.clock.now() - freshMs
  const [known] = await rt.store.read(mediaOfLink, { account_id: accountId, link_hash: linkHash, since })
  if (known) return requireBytes(known)
  return shareTransfer(rt, accountId, `link ${accountId} ${kind} ${linkHash}`, async () =>
    requireBytes(await fetchAndKeep(rt, accountId, { url: link, hash: linkHash, kind })),
  )
}

type Link = { url: string; hash: string; kind: MediaKind }

async function fetchAndKeep(rt: Runtime, accountId: string, link: Link): Promise<MediaRow> {
  let declared = ''
  const intake = createIntake(rt, accountId, (head) => judgeLink(head, declared, link.kind))
  try {
    await fetchInto(rt, intake, link, (contentType) => {
      declared = contentType
    })
    const staged = await intake.finish()
    return await keepMedia(rt, staged, { filename: nameIn(link.url), linkHash: link.hash })
  } catch (error) {
    await intake.discard()
    throw error
  }
}

async function fetchInto(
  rt: Runtime,
  intake: Intake,
  { url, kind }: Link,
  onType: (contentType: string) => void,
): Promise<void> {
  const refusals: unknown[] = []
  const outcome = await rt.deliver.fetchStream({
    url,
    bytesMax: kindBytesMax[kind],
    // Which requests may name an http link is decided where they are read: templates may. An https link stays on https.
    allowHttp: URL.parse(url)?.protocol === 'http:',
    write: async (chunk, headers) => {
      onType(headers['content-type'] ?? '')
      try {
        await intake.write(chunk)
      } catch (error) {
        refusals.push(error)
        throw error
      }
    },
  })
  if (refusals.length > 0) throw refusals[0]
  if (outcome.kind === 'failure') {
    if (outcome.code === 'too_large') throw tooLarge({ kind, bytesMax: kindBytesMax[kind] })
    throw unreachable(outcome.message)
  }
  if (outcome.statusCode > 299) throw unreachable(`Its server responded with status ${outcome.statusCode}.`)
  if (outcome.bytes === 0) throw unreachable('Its server responded with an empty body.')
}

async function judgeLink(head: Uint8Array, declared: string, kind: MediaKind): Promise<Verdict> {
  const sniffed = await sniffMedia(head)
  const found = chooseType(sniffed, declared, kind)
  if (!found) throw await unsupported(head, sniffed)
  if (found.kind === kind) return found
  throw new AppError(
    'media_content_mismatch',
    `The link points to a file of type ${found.kind}, but the message has the type ${kind}.`,
  )
}

function unreachable(reason: string): AppError {
  const details = [bodyProblem('link', 'invalid_value', reason)]
  return new AppError('media_link_unreachable', `The file behind the link could not be fetched. ${reason}`, { details })
}

/** The last part of the path, where it looks like a file name. */
function nameIn(link: string): string | null {
  const last = URL.parse(link)?.pathname.split('/').at(-1) ?? ''
  if (!last.includes('.')) return null
  try {
    return cleanFilename(decodeURIComponent(last))
  } catch {
    return null
  }
}
