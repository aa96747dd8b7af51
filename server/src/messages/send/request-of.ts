import type { Runtime } from '../../runtime.ts'
import type { MessageRow } from '../../store/messages/messages.ts'
import { findTemplate } from '../../templates/find-template.ts'
import { readValues } from '../../templates/values/read-values.ts'
import type { RenderedTemplate } from '../../templates/values/render-template.ts'
import type { InteractiveContent } from '../content/interactive-content.ts'
import { customerOf } from '../message-record.ts'

export type ApiRequest = { path: string; body: { to: string } & Record<string, unknown> }

type Content = {
  text?: string
  media?: { media_id?: string | null; link?: string | null; caption?: string | null; filename?: string | null }
  interactive?: InteractiveContent
} & Partial<RenderedTemplate>

/** The API call that sends a message like this one. Null for what a customer wrote, and where the words are gone. */
export async function requestOf(rt: Runtime, row: MessageRow): Promise<ApiRequest | null> {
  const to = customerOf(row)
  if (row.direction !== 'outbound' || row.content === null || to === null) return null
  const content = JSON.parse(row.content) as Content
  if (row.type === 'text') return { path: '/v1/chat/messages/send', body: { to, message: content.text ?? '' } }
  if (row.type === 'template') return templateRequest(rt, row, to, content as RenderedTemplate)
  if (row.type === 'interactive' && content.interactive) return interactiveRequest(to, content.interactive)
  const { media_id, link, caption, filename } = content.media ?? {}
  return {
    path: '/v1/chat/messages/media',
    body: {
      to,
      type: row.type,
      ...(link ? { link } : { media_id }),
      ...(caption ? { caption } : {}),
      ...(filename && row.type === 'document' ? { filename } : {}),
    },
  }
}

async function templateRequest(
  rt: Runtime,
  { account_id, template, language }: MessageRow,
  to: string,
  seen: RenderedTemplate,
): Promise<ApiRequest> {
  const known = template && language ? await findTemplate(rt, account_id, template, language) : null
  const components = known && readValues(known, { ...seen, buttons: seen.buttons ?? [] })
  return {
    path: '/v1/chat/messages/template',
    body: { to, template, language, ...(components && components.length > 0 ? { components } : {}) },
  }
}

function interactiveRequest(to: string, { kind, header, body, footer, ...rest }: InteractiveContent): ApiRequest {
  return {
    path: '/v1/chat/messages/interactive',
    body: { to, type: kind, ...(header ? { header } : {}), body, ...(footer ? { footer } : {}), ...rest },
  }
}
