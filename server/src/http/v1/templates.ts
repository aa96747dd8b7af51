import { answer, ok } from '../../contract/envelope.ts'
import { furtherChecks, optionalBody, ref } from '../../contract/schema.ts'
import {
  DeletedTemplate,
  PreviewRequest,
  Template,
  TemplateChanges,
  TemplateDraft,
  TemplateList,
  TemplatePath,
  TemplatePreview,
  TemplateQuery,
  TemplateWithHistory,
} from '../../contract/templates.ts'
import type { Runtime } from '../../runtime.ts'
import { requireAllowed } from '../../templates/check/require-allowed.ts'
import { showTemplateCounts } from '../../templates/count-templates.ts'
import { createTemplate } from '../../templates/create-template.ts'
import { deleteTemplate } from '../../templates/delete-template.ts'
import { editTemplate } from '../../templates/edit-template.ts'
import { getTemplate } from '../../templates/get-template.ts'
import { listTemplates } from '../../templates/list-templates.ts'
import { previewTemplate } from '../../templates/values/preview-template.ts'
import { authorOf } from '../edge/author-of.ts'
import { type App, callerOf } from '../edge/context.ts'
import { readTemplateQuery } from './template-query.ts'

const tags = ['Templates']
const read = { access: { scope: 'templates:read' } } as const
const write = { access: { scope: 'templates:write' } } as const

/** Templates of the account: create, look, change, delete, preview. */
export function addTemplateRoutes(app: App, rt: Runtime): void {
  rt.metrics.onRender(() => showTemplateCounts(rt))

  app.get(
    '/v1/chat/templates',
    {
      config: read,
      schema: {
        operationId: 'listTemplates',
        summary: 'List templates by name and language',
        tags,
        querystring: TemplateQuery,
        response: { 200: answer(ref(TemplateList)) },
      },
    },
    async (request) => ok(await listTemplates(rt, callerOf(request).accountId, readTemplateQuery(request.query))),
  )

  app.post(
    '/v1/chat/templates',
    {
      config: { ...write, idempotent: true },
      schema: {
        operationId: 'createTemplate',
        summary: 'Create a template and submit it for review',
        tags,
        body: ref(TemplateDraft),
        ...furtherChecks('name', 'body', 'components'),
        response: { 201: answer(ref(Template)) },
      },
    },
    async (request, reply) =>
      reply.code(201).send(ok(await createTemplate(rt, callerOf(request), request.body, await authorOf(rt, request)))),
  )
  addOneTemplateRoutes(app, rt)
}

function addOneTemplateRoutes(app: App, rt: Runtime): void {
  app.get(
    '/v1/chat/templates/:template_id',
    {
      config: read,
      schema: {
        operationId: 'getTemplate',
        summary: 'Read one template with its history',
        tags,
        params: TemplatePath,
        response: { 200: answer(ref(TemplateWithHistory)) },
      },
    },
    async (request) => ok(await getTemplate(rt, callerOf(request).accountId, request.params.template_id)),
  )

  app.put(
    '/v1/chat/templates/:template_id',
    {
      config: write,
      schema: {
        operationId: 'updateTemplate',
        summary: 'Edit a template and submit it again',
        tags,
        params: TemplatePath,
        body: ref(TemplateChanges),
        ...furtherChecks('body', 'components', 'submit'),
        response: { 200: answer(ref(Template)) },
      },
    },
    async (request) => {
      const { accountId } = await requireAllowed(rt, callerOf(request), request.params.template_id)
      const author = await authorOf(rt, request)
      return ok(await editTemplate(rt, accountId, request.params.template_id, request.body, author))
    },
  )

  app.delete(
    '/v1/chat/templates/:template_id',
    {
      config: write,
      schema: {
        operationId: 'deleteTemplate',
        summary: 'Delete one language of a template',
        tags,
        params: TemplatePath,
        response: { 200: answer(ref(DeletedTemplate)) },
      },
    },
    async (request) => {
      const { accountId } = await requireAllowed(rt, callerOf(request), request.params.template_id)
      return ok(await deleteTemplate(rt, accountId, request.params.template_id, await authorOf(rt, request)))
    },
  )

  app.post(
    '/v1/chat/templates/:template_id/preview',
    {
      config: read,
      schema: {
        operationId: 'previewTemplate',
        summary: 'Show a template as a customer would see it',
        tags,
        params: TemplatePath,
        body: optionalBody(ref(PreviewRequest)),
        ...furtherChecks('components'),
        response: { 200: answer(ref(TemplatePreview)) },
      },
    },
    async (request) => {
      const { components } = request.body ?? {}
      return ok(await previewTemplate(rt, callerOf(request).accountId, request.params.template_id, components))
    },
  )
}
