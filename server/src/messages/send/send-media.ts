import type { Static } from 'typebox'
import type { SendMedia, SendSticker } from '../../contract/messages/send-requests.ts'
import type { FieldProblem } from '../../contract/schema.ts'
import { requireNamedFile, resolveMedia } from '../../media/resolve-media.ts'
import type { MediaKind } from '../../media/types/media-kinds.ts'
import { checkFilename } from '../../media/upload-media.ts'
import type { OutboundContent } from '../../platform/outbound-message.ts'
import type { Runtime } from '../../runtime.ts'
import { checkLink } from '../content/check-text.ts'
import {
  type Draft,
  draftOf,
  requireOpenWindow,
  requireReads,
  requireValid,
  resolveOptions,
  type Sender,
} from './draft.ts'

export type StickerRequest = Static<typeof SendSticker>
export type MediaRequest = Omit<Static<typeof SendMedia>, 'type'> & { type: MediaKind }

/** One file, uploaded before or behind a link, within the 24-hour window. */
export async function draftMedia(rt: Runtime, sender: Sender, request: MediaRequest): Promise<Draft> {
  const draft = await draftOf(rt, sender, request, () => {
    requireValid(checkMedia(request))
    requireReads(sender)
  })
  await requireNamedFile(rt, sender.accountId, request.media_id)
  await requireOpenWindow(rt, sender, draft)
  const source = request.media_id ? { media_id: request.media_id } : { link: request.link ?? '' }
  const { reference, record } = await resolveMedia(rt, draft.number, source, {
    kind: request.type,
    ...resolveOptions(sender),
    ...(request.voice ? voiceOnly : {}),
  })
  const filename = request.filename?.trim() ?? record.filename
  return {
    ...draft,
    type: request.type,
    outbound: toOutbound(request, reference, filename),
    content: {
      media: {
        ...record,
        filename,
        link: request.link ?? null,
        caption: request.caption ?? null,
        ...(request.voice ? { voice: true } : {}),
      },
    },
    files: record.media_id === null ? [] : [record.media_id],
  }
}

/** WhatsApp plays voice notes of this type alone; its bytes are known to be Opus. */
const voiceOnly = { mimeTypes: ['audio/ogg'], askedBy: 'voice' }

function checkMedia({ type, media_id, link, caption, filename, voice }: MediaRequest): FieldProblem[] {
  const problem = (field: string, code: FieldProblem['code'], message: string): FieldProblem => ({
    field,
    location: 'body',
    code,
    message,
  })
  return [
    ...(media_id && link ? [problem('link', 'mutually_exclusive', 'Give either media_id or link, not both.')] : []),
    ...(!media_id && !link
      ? [problem('media_id', 'one_of_required', 'Give the media_id of an upload, or a link.')]
      : []),
    ...(link ? checkLink(link, 'link') : []),
    ...(caption && type === 'audio' ? [problem('caption', 'invalid_value', 'Audio has no caption.')] : []),
    ...(voice && type !== 'audio' ? [problem('voice', 'invalid_value', 'Only audio can be a voice note.')] : []),
    ...(filename && type !== 'document'
      ? [problem('filename', 'invalid_value', 'Only documents have a filename.')]
      : checkFilename(filename, 'filename')),
  ]
}

function toOutbound(
  request: MediaRequest,
  media: { platformMediaId: string } | { link: string },
  filename: string | null,
): OutboundContent {
  const caption = request.caption ? { caption: request.caption } : {}
  if (request.type === 'audio') return { type: 'audio', media, ...(request.voice ? { voice: true } : {}) }
  if (request.type === 'sticker') return { type: 'sticker', media }
  if (request.type === 'document') return { type: 'document', media, ...caption, ...(filename ? { filename } : {}) }
  return { type: request.type, media, ...caption }
}
