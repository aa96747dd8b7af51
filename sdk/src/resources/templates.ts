import type { ApiPromise } from '../http/api-promise.ts'
import type { RequestOptions } from '../http/call.ts'
import { List, type Pagination, pageOf } from '../http/pagination.ts'
import { path } from '../http/path.ts'
import type { Transport } from '../http/request.ts'
import type {
  DeletedTemplate,
  ListedTemplate,
  PreviewValues,
  Template,
  TemplateChanges,
  TemplateDraft,
  TemplateFilters,
  TemplatePreview,
  TemplateWithHistory,
} from './template-types.ts'

/** Message templates: texts that Meta approves, which may be sent at any time. */
export class Templates {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /** Lists templates by name and language; deleted ones only when asked for by status. */
  list(filters: TemplateFilters = {}, options?: RequestOptions): List<ListedTemplate> {
    type Data = { templates: ListedTemplate[]; pagination: Pagination }
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

  /** One template by its id, with its history. */
  get(templateId: string, options?: RequestOptions): ApiPromise<TemplateWithHistory> {
    return this.#transport.send({ method: 'GET', path: path`/v1/chat/templates/${templateId}` }, options)
  }

  /** Changes a template and submits it again. */
  update(templateId: string, changes: TemplateChanges, options?: RequestOptions): ApiPromise<Template> {
    return this.#transport.send({ method: 'PUT', path: path`/v1/chat/templates/${templateId}`, body: changes }, options)
  }

  /** Deletes a template. When a lost answer made the client repeat the call, it can end in a `NotFoundError`. */
  delete(templateId: string, options?: RequestOptions): ApiPromise<DeletedTemplate> {
    return this.#transport.send({ method: 'DELETE', path: path`/v1/chat/templates/${templateId}` }, options)
  }

  /** What a customer would see with these values. Nothing is sent. */
  preview(templateId: string, values: PreviewValues = {}, options?: RequestOptions): ApiPromise<TemplatePreview> {
    return this.#transport.send(
      { method: 'POST', path: path`/v1/chat/templates/${templateId}/preview`, body: values },
      options,
    )
  }
}
