import { categoryOf } from '../../contract/template-content.ts'
import type { ChatPlatform, NumberCredentials, TemplateFilter } from '../chat-platform.ts'
import { PlatformError } from '../platform-error.ts'
import { type FailureContext, unreadableAnswer } from './classify-failure.ts'
import { type CloudCaller, nodePath } from './cloud-request.ts'
import { rejected } from './failure-table.ts'
import { listOf, objectOf, textOf } from './lenient-json.ts'
import { templateFromWire } from './template-from-wire.ts'
import { changeToWire, templateToWire } from './template-to-wire.ts'

type TemplateCalls = Pick<
  ChatPlatform,
  'createTemplate' | 'listTemplates' | 'getTemplate' | 'editTemplate' | 'deleteTemplate' | 'uploadSample'
>

const fields =
  'id,name,language,status,category,previous_category,parameter_format,components,message_send_ttl_seconds,rejected_reason,quality_score'

const reading: FailureContext = { purpose: 'read', notFound: 'template_not_found' }
const writing: FailureContext = { purpose: 'write', notFound: 'template_not_found' }
/** Creating names no existing template, so "no such object" means the business account or the app. */
const creating: FailureContext = { purpose: 'write' }

export function cloudTemplates(caller: CloudCaller): TemplateCalls {
  return {
    async createTemplate(number, draft) {
      const json = templateToWire(draft)
      const answer = await caller.call(number, {
        method: 'POST',
        path: templatesPath(number),
        json,
        context: creating,
      })
      const templateId = textOf(answer.id)
      if (templateId === null) throw unreadableAnswer(creating)
      const status = textOf(answer.status)?.toUpperCase() ?? 'PENDING'
      return { templateId, status, category: categoryOf(textOf(answer.category)) }
    },

    listTemplates: (number, filter = {}) => pages(caller, number, filter),

    async getTemplate(number, templateId) {
      const path = nodePath(templateId)
      const answer = await caller.call(number, { method: 'GET', path, query: { fields }, context: reading })
      const template = templateFromWire(answer)
      if (!template) throw unreadableAnswer(reading)
      return template
    },

    async editTemplate(number, templateId, change) {
      const json = changeToWire(change)
      await caller.command(number, { method: 'POST', path: nodePath(templateId), json, context: writing })
    },

    async deleteTemplate(number, { name, templateId }) {
      const query = { name, ...(templateId !== undefined && { hsm_id: templateId }) }
      const path = templatesPath(number)
      await caller.command(number, { method: 'DELETE', path, query, context: writing })
    },

    uploadSample: (number, sample) => uploadSample(caller, number, sample),
  }
}

/** 6,000 templates, the most an account can have, are 60 pages of 100; more means a cursor that runs in circles. */
const pagesMax = 200

async function* pages(caller: CloudCaller, number: NumberCredentials, filter: TemplateFilter) {
  const query: Record<string, string> = { fields, limit: String(filter.pageSize ?? 100) }
  if (filter.name !== undefined) query.name = filter.name
  if (filter.status !== undefined) query.status = filter.status
  for (let page = 0; page < pagesMax; page++) {
    const path = templatesPath(number)
    const answer = await caller.call(number, { method: 'GET', path, query, context: { purpose: 'read' } })
    for (const item of listOf(answer.data)) {
      const template = templateFromWire(item)
      if (template) yield template
    }
    // The cursor and not `next` is used: the token never follows a url out of an answer.
    const paging = objectOf(answer.paging)
    const after = textOf(objectOf(paging?.cursors)?.after)
    if (textOf(paging?.next) === null || after === null || after === query.after) return
    query.after = after
  }
}

/** The resumable upload in its two calls; the handle is good for one template example. */
async function uploadSample(
  caller: CloudCaller,
  number: NumberCredentials,
  sample: { content: Uint8Array; mimeType: string; filename: string },
): Promise<{ handle: string }> {
  if (number.appId === undefined) throw new PlatformError({ ...rejected, upstream: noAppId })
  const bytes = sample.content.byteLength
  const session = await caller.call(number, {
    method: 'POST',
    path: `/${encodeURIComponent(number.appId)}/uploads`,
    query: { file_name: sample.filename, file_length: String(bytes), file_type: sample.mimeType },
    context: creating,
  })
  const sessionId = textOf(session.id)
  // The id is a path with a signature in its query and goes back as it came.
  if (sessionId === null || !/^upload:[\w.~:=?&%+-]+$/.test(sessionId)) throw unreadableAnswer(creating)
  const stored = await caller.call(number, {
    method: 'POST',
    path: `/${sessionId}`,
    headers: { authorization: `OAuth ${number.accessToken}`, file_offset: '0' },
    file: { content: sample.content, bytes, contentType: sample.mimeType },
    context: creating,
    timeoutMs: caller.limits.transferMs,
  })
  const handle = textOf(stored.h)
  if (handle === null) throw unreadableAnswer(creating)
  return { handle }
}

const noAppId = {
  code: null,
  title: 'The channel has no app id.',
  detail: 'Examples for media headers are uploaded to the app; add its id to the channel.',
  trace_id: null,
}

function templatesPath(number: NumberCredentials): string {
  return `/${encodeURIComponent(number.wabaId)}/message_templates`
}
