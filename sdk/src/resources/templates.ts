import type { ApiPromise } from '../api-promise.ts'
import type { RequestOptions } from '../call.ts'
import { List, type Pagination, pageOf } from '../pagination.ts'
import { path } from '../path.ts'
import type { Transport } from '../request.ts'
import type { TemplateComponent } from './component-types.ts'

/** Where a template is in its review. Only `approved` ones can be sent. */
export type TemplateStatus =
  | 'draft'
  | 'pending'
  | 'approved'
  | 'rejected'
  | 'paused'
  | 'disabled'
  | 'archived'
  | 'deleted'
  | (string & {})

/** What a template is for. */
export type TemplateCategory = 'marketing' | 'utility' | 'authentication' | (string & {})

/** A button of a template. */
export interface TemplateButton {
  type: 'url' | 'phone_number' | 'quick_reply' | (string & {})
  text: string
  url?: string
  phoneNumber?: string
  /** Sample of the variable part of the url. */
  example?: string
  /** True when a send may leave the button out. */
  optional?: boolean
}

/** One part of a template, as it is written and reviewed. */
export interface TemplatePart {
  type: 'header' | 'body' | 'footer' | 'buttons' | (string & {})
  /** Of a header. */
  format?: 'text' | 'image' | 'document' | 'video' | (string & {})
  /** Text with placeholders: `{{1}}`, or named as `{{order_id}}`. */
  text?: string
  /** Names and samples of the placeholders, in order. */
  variables?: readonly { name?: string; example: string }[]
  buttons?: readonly TemplateButton[]
  example?: unknown
  /** True when a send may leave the part out. */
  optional?: boolean
}

/** A template in one language. */
export interface Template {
  id: string
  name: string
  language: string
  category: TemplateCategory
  status: TemplateStatus
  /** Why it was rejected or paused. */
  statusReason: { code: string; message: string; recommendation: string | null; until: string | null } | null
  quality: 'high' | 'medium' | 'low' | 'unknown' | (string & {}) | null
  source: 'catalog' | (string & {})
  components: TemplatePart[]
  /** The values a send must give, in order. */
  variables: { component: string; position: number; name: string; example: string }[]
  channelTemplateId: string | null
  createdAt: string
  updatedAt: string
  submittedAt: string | null
  reviewedAt: string | null
  lastUsedAt: string | null
}

/** A new template. */
export interface TemplateDraft {
  /** Lower-case letters, digits and `_`. */
  name: string
  /** Default: `en_US`. */
  language?: string
  /** Default: `utility`. */
  category?: TemplateCategory
  components?: readonly TemplatePart[]
  /** Short for one body component. */
  body?: string
  /** False keeps it as a draft. Default: true, it goes to review. */
  submit?: boolean
}

/** Filters of `templates.list()`. */
export interface TemplateFilters {
  status?: TemplateStatus | readonly TemplateStatus[]
  category?: TemplateCategory
  language?: string
  /** Exact name. */
  name?: string
  /** Part of the name or of the body. */
  search?: string
  source?: string
  /** Items per page, 1 to 100. Default: 25. */
  limit?: number
  cursor?: string
}

/** Message templates: texts the platform approves, which may be sent at any time. */
export class Templates {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /** Lists templates by name and language; deleted ones only when asked for by status. */
  list(filters: TemplateFilters = {}, options?: RequestOptions): List<Template> {
    type Data = { templates: Template[]; pagination: Pagination }
    const page = (cursor: string | undefined) =>
      this.#transport
        .send<Data>({ method: 'GET', path: '/v1/chat/templates', query: { ...filters, cursor } }, options)
        .map((data) => pageOf(data.templates, data.pagination))
    return new List(page, filters.cursor)
  }

  /** Creates a template and submits it for review; `template.status_changed` tells the result. */
  create(template: TemplateDraft, options?: RequestOptions): ApiPromise<Template> {
    return this.#transport.send({ method: 'POST', path: '/v1/chat/templates', body: template }, options)
  }

  /** One template by its id. */
  get(templateId: string, options?: RequestOptions): ApiPromise<Template> {
    return this.#transport.send({ method: 'GET', path: path`/v1/chat/templates/${templateId}` }, options)
  }

  /** Changes a template and submits it again. */
  update(templateId: string, changes: Partial<TemplateDraft>, options?: RequestOptions): ApiPromise<Template> {
    return this.#transport.send({ method: 'PUT', path: path`/v1/chat/templates/${templateId}`, body: changes }, options)
  }

  /** Deletes a template. When a lost answer made the client repeat the call, it can end in a `NotFoundError`. */
  delete(templateId: string, options?: RequestOptions): ApiPromise<{ id: string; deleted: true }> {
    return this.#transport.send({ method: 'DELETE', path: path`/v1/chat/templates/${templateId}` }, options)
  }

  /** The text a customer would see with these values. Nothing is sent. */
  preview(
    templateId: string,
    values: { components?: readonly TemplateComponent[] } = {},
    options?: RequestOptions,
  ): ApiPromise<{ text: string }> {
    return this.#transport.send(
      { method: 'POST', path: path`/v1/chat/templates/${templateId}/preview`, body: values },
      options,
    )
  }
}
