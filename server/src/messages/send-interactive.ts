import { type ChannelNumber, requireNumber } from '../channels/require-number.ts'
import { validationFailed } from '../contract/app-error.ts'
import { resolveMedia } from '../media/resolve-media.ts'
import type { InteractiveHeader, OutboundContent } from '../platform/outbound-message.ts'
import type { Runtime } from '../runtime.ts'
import { checkInteractive } from './check-interactive.ts'
import { type Draft, requireAddress, requireOpenWindow, requireReplyTo, type SendCommon, type Sender } from './draft.ts'
import {
  type InteractiveRequest as Interactive,
  type InteractiveContent,
  interactiveContent,
} from './interactive-content.ts'

export type InteractiveRequest = SendCommon & Interactive

/** Buttons, a list, or quick replies, within the 24-hour window. The customer's tap comes back as an event. */
export async function draftInteractive(rt: Runtime, sender: Sender, request: InteractiveRequest): Promise<Draft> {
  const address = requireAddress(request.to)
  const problems = checkInteractive(request)
  if (problems.length > 0) throw validationFailed(problems)
  const number = await requireNumber(rt, sender.accountId, {
    from: request.from ?? null,
    allowedIds: sender.phoneNumberIds,
  })
  const replyTo = await requireReplyTo(rt, sender.accountId, request.reply_to)
  await requireOpenWindow(rt, number, address)
  const interactive = interactiveContent(request)
  return {
    number,
    address,
    type: 'interactive',
    outbound: await toOutbound(rt, number, interactive, sender.dryRun ?? false),
    content: { text: interactive.body, interactive },
    template: null,
    replyTo,
    clientReference: request.client_reference ?? null,
    used: null,
  }
}

async function toOutbound(
  rt: Runtime,
  number: ChannelNumber,
  content: InteractiveContent,
  dryRun: boolean,
): Promise<OutboundContent> {
  const footer = content.footer === null ? {} : { footer: content.footer }
  if (content.kind === 'buttons') {
    const header = await toHeader(rt, number, content.header, dryRun)
    const buttons = content.buttons.map(({ id, title }) => ({ id, title }))
    return { type: 'buttons', body: content.body, buttons, ...footer, ...(header ? { header } : {}) }
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
  return { type: 'list', body: content.body, button: content.button, sections, ...footer, ...header }
}

async function toHeader(
  rt: Runtime,
  number: ChannelNumber,
  header: InteractiveContent['header'],
  dryRun: boolean,
): Promise<InteractiveHeader | null> {
  if (header === null) return null
  if (header.type === 'text') return { type: 'text', text: header.text }
  const source = header.media_id ? { media_id: header.media_id } : { link: header.link ?? '' }
  const { reference } = await resolveMedia(rt, number, source, header.type, { dryRun })
  if (header.type !== 'document') return { type: header.type, media: reference }
  return { type: 'document', media: reference, ...(header.filename ? { filename: header.filename } : {}) }
}
