import type { ChannelNumber } from '../../channels/require-number.ts'
import { validationFailed } from '../../contract/app-error.ts'
import { requireNamedFile, resolveMedia } from '../../media/resolve-media.ts'
import type { InteractiveHeader, OutboundContent } from '../../platform/outbound-message.ts'
import type { Runtime } from '../../runtime.ts'
import { checkInteractive } from '../content/check-interactive.ts'
import {
  type InteractiveRequest as Interactive,
  type InteractiveContent,
  interactiveContent,
} from '../content/interactive-content.ts'
import {
  type Draft,
  type FileOptions,
  numberToSendFrom,
  requireAddress,
  requireOpenWindow,
  requireReplyTo,
  resolveOptions,
  type SendCommon,
  type Sender,
} from './draft.ts'

export type InteractiveRequest = SendCommon & Interactive

/** Buttons, a list, or quick replies, within the 24-hour window. The customer's tap comes back as an event. */
export async function draftInteractive(rt: Runtime, sender: Sender, request: InteractiveRequest): Promise<Draft> {
  const address = requireAddress(request.to)
  const problems = checkInteractive(request)
  if (problems.length > 0) throw validationFailed(problems)
  const number = await numberToSendFrom(rt, sender, request)
  const replyTo = await requireReplyTo(rt, sender.accountId, address, request.reply_to)
  const interactive = interactiveContent(request)
  const named = interactive.header?.type === 'text' ? null : interactive.header?.media_id
  await requireNamedFile(rt, sender.accountId, named)
  await requireOpenWindow(rt, sender, number, address)
  const { outbound, files } = await toOutbound(rt, number, interactive, resolveOptions(sender))
  return {
    number,
    address,
    type: 'interactive',
    outbound,
    content: { text: interactive.body, interactive },
    template: null,
    replyTo,
    clientReference: request.client_reference ?? null,
    used: null,
    files,
  }
}

async function toOutbound(
  rt: Runtime,
  number: ChannelNumber,
  content: InteractiveContent,
  options: FileOptions,
): Promise<{ outbound: OutboundContent; files: string[] }> {
  const footer = content.footer === null ? {} : { footer: content.footer }
  if (content.kind === 'buttons') {
    const { header, files } = await toHeader(rt, number, content.header, options)
    const buttons = content.buttons.map(({ id, title }) => ({ id, title }))
    const outbound = { type: 'buttons' as const, body: content.body, buttons, ...footer, ...(header ? { header } : {}) }
    return { outbound, files }
  }
  const sections = content.sections.map(({ title, rows }) => ({
    ...(title === null ? {} : { title }),
    rows: rows.map(({ id, title: label, description }) => ({
      id,
      title: label,
      ...(description === null ? {} : { description }),
    })),
  }))
  const header = content.header?.type === 'text' ? { header: { type: 'text' as const, text: content.header.text } } : {}
  const { body, button } = content
  return { outbound: { type: 'list', body, button, sections, ...footer, ...header }, files: [] }
}

async function toHeader(
  rt: Runtime,
  number: ChannelNumber,
  header: InteractiveContent['header'],
  options: FileOptions,
): Promise<{ header: InteractiveHeader | null; files: string[] }> {
  if (header === null) return { header, files: [] }
  if (header.type === 'text') return { header: { type: 'text', text: header.text }, files: [] }
  const source = header.media_id ? { media_id: header.media_id } : { link: header.link ?? '' }
  const { reference: media, record } = await resolveMedia(rt, number, source, { kind: header.type, ...options })
  const files = record.media_id === null ? [] : [record.media_id]
  if (header.type !== 'document') return { header: { type: header.type, media }, files }
  return { header: { type: 'document', media, ...(header.filename ? { filename: header.filename } : {}) }, files }
}
