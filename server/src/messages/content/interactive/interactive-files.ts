import type { ChannelNumber } from '../../../channels/require-number.ts'
import type { FileHeader, NamedFile } from '../../../contract/messages/interactive-content.ts'
import { type ResolveOptions, resolveMedia } from '../../../media/resolve-media.ts'
import type { OutboundFile, OutboundInteractive } from '../../../platform/outbound-message.ts'
import type { Runtime } from '../../../runtime.ts'
import type { InteractiveContent } from './interactive-content.ts'

/** The files that a message names, wherever in it. */
export function filesOf({ header }: InteractiveContent): FileHeader<NamedFile>[] {
  return header === null || header.type === 'text' ? [] : [header]
}

/** Makes the files of a message ready for the platform; `files` are those of ours. */
export async function toOutbound(
  rt: Runtime,
  number: ChannelNumber,
  content: InteractiveContent,
  options: Omit<ResolveOptions, 'kind'>,
): Promise<{ outbound: OutboundInteractive; files: string[] }> {
  const files: string[] = []
  const resolve = async (header: FileHeader<NamedFile>): Promise<FileHeader<OutboundFile>> => {
    const { type, media_id, link, filename = null } = header
    const source = media_id ? { media_id } : { link: link ?? '' }
    const { reference: media, record } = await resolveMedia(rt, number, source, { kind: type, ...options })
    if (record.media_id !== null) files.push(record.media_id)
    return { type, media, filename }
  }
  const { header } = content
  const ready = header === null || header.type === 'text' ? header : await resolve(header)
  return { outbound: { ...content, header: ready }, files }
}
