import type { ChannelNumber } from '../../../channels/require-number.ts'
import type { FileHeader, NamedFile } from '../../../contract/messages/interactive-content.ts'
import { type ResolveOptions, resolveMedia } from '../../../media/resolve-media.ts'
import type { OutboundFile, OutboundInteractive } from '../../../platform/outbound-message.ts'
import type { Runtime } from '../../../runtime.ts'
import type { InteractiveContent } from './interactive-content.ts'

/** The files that a message names, wherever in it. */
export function filesOf(content: InteractiveContent): FileHeader<NamedFile>[] {
  const { header } = content
  return [
    ...(header === null || header.type === 'text' ? [] : [header]),
    ...(content.kind === 'carousel' ? content.cards.map((card) => card.header) : []),
  ]
}

type Resolved<Type> = { header: { type: Type } & OutboundFile; mediaId: string | null }

/** Makes the files of a message ready for the platform; `files` are those of ours. */
export async function toOutbound(
  rt: Runtime,
  number: ChannelNumber,
  content: InteractiveContent,
  options: Omit<ResolveOptions, 'kind'>,
): Promise<{ outbound: OutboundInteractive; files: string[] }> {
  const resolve = async <Type extends 'image' | 'video' | 'document'>(named: { type: Type } & NamedFile) => {
    const { type, media_id, link, filename = null } = named
    const source = media_id ? { media_id } : { link: link ?? '' }
    const { reference: media, record } = await resolveMedia(rt, number, source, { kind: type, ...options })
    return { header: { type, media, filename }, mediaId: record.media_id } satisfies Resolved<Type>
  }
  const filesIn = (resolved: Resolved<unknown>[]) => resolved.flatMap(({ mediaId }) => mediaId ?? [])
  if (content.kind === 'carousel') {
    const headers = await Promise.all(content.cards.map((card) => resolve(card.header)))
    const cards = headers.flatMap(({ header }, index) => {
      const card = content.cards[index]
      return card ? [{ ...card, header }] : []
    })
    return { outbound: { ...content, header: null, cards }, files: filesIn(headers) }
  }
  if (content.header === null || content.header.type === 'text') {
    return { outbound: { ...content, header: content.header }, files: [] }
  }
  const ready = await resolve(content.header)
  return { outbound: { ...content, header: ready.header }, files: filesIn([ready]) }
}
