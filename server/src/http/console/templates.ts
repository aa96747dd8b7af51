import { authorOf } from '../../access/console-member.ts'
import { CatalogSubmission, CheckedDraft } from '../../contract/console/templates.ts'
import { answer, ok } from '../../contract/envelope.ts'
import { ref } from '../../contract/schema.ts'
import {
  DeletedTemplate,
  Template,
  TemplateChanges,
  TemplateDraft,
  TemplateList,
  TemplatePath,
  TemplateQuery,
  TemplateWithHistory,
} from '../../contract/templates.ts'
import type { Runtime } from '../../runtime.ts'
import { submitCatalog } from '../../templates/catalog/submit-catalog.ts'
import { checkDraft } from '../../templates/check/check-draft.ts'
import { createTemplate } from '../../templates/create-template.ts'
import { deleteTemplate } from '../../templates/delete-template.ts'
import { editTemplate } from '../../templates/edit-template.ts'
import { getTemplate } from '../../templates/get-template.ts'
import { listTemplates } from '../../templates/list-templates.ts'
import type { App } from '../edge/context.ts'
import { readTemplateQuery } from '../v1/template-query.ts'
import { memberOf } from './console-access.ts'

const tags = ['Templates']

/** Templates as people write them: looked at while they are typed, then submitted, mended or deleted. */
export function addConsoleTemplateRoutes(app: App, rt: Runtime): void {
  app.get(
    '/console/api/templates',
    {
      config: { console: 'templates:read' },
      schema: {
        operationId: 'browseTemplates',
        summary: 'Templates by name and language',
        tags,
        querystring: TemplateQuery,
        response: { 200: answer(ref(TemplateList)) },
      },
    },
    async (request) => ok(await listTemplates(rt, memberOf(request).accountId, readTemplateQuery(request.query))),
  )

  app.post(
    '/console/api/templates',
    {
      config: { console: 'templates:write' },
      schema: {
        operationId: 'writeTemplate',
        summary: 'Create a template, as a draft or submitted',
        tags,
        body: ref(TemplateDraft),
        response: { 201: answer(ref(Template)) },
      },
    },
    async (request, reply) => {
      const member = memberOf(request)
      const creator = { accountId: member.accountId, phoneNumberIds: null }
      return reply.code(201).send(ok(await createTemplate(rt, creator, request.body, authorOf(member))))
    },
  )

  app.post(
    '/console/api/templates/check',
    {
      config: { console: 'templates:read' },
      schema: {
        operationId: 'checkTemplateDraft',
        summary: 'What is wrong with a template, and how it would look',
        tags,
        body: ref(TemplateDraft),
        response: { 200: answer(ref(CheckedDraft)) },
      },
    },
    async (request) => {
      const { problems, preview } = await checkDraft(rt, memberOf(request).accountId, request.body)
      const shown = problems.map(({ field, code, message }) => ({ field, code, message }))
      return ok({ problems: shown, preview })
    },
  )

  app.post(
    '/console/api/templates/catalog',
    {
      config: { console: 'templates:write' },
      schema: {
        operationId: 'submitCatalog',
        summary: 'Submit the templates every account starts with',
        tags,
        response: { 200: answer(ref(CatalogSubmission)) },
      },
    },
    async (request) => {
      const member = memberOf(request)
      return ok(await submitCatalog(rt, member.accountId, authorOf(member)))
    },
  )
  addOneTemplateRoutes(app, rt)
}

function addOneTemplateRoutes(app: App, rt: Runtime): void {
  app.get(
    '/console/api/templates/:template_id',
    {
      config: { console: 'templates:read' },
      schema: {
        operationId: 'describeTemplate',
        summary: 'A template with its history',
        tags,
        params: TemplatePath,
        response: { 200: answer(ref(TemplateWithHistory)) },
      },
    },
    async (request) => ok(await getTemplate(rt, memberOf(request).accountId, request.params.template_id)),
  )

  app.put(
    '/console/api/templates/:template_id',
    {
      config: { console: 'templates:write' },
      schema: {
        operationId: 'reviseTemplate',
        summary: 'Edit a template and submit it again',
        tags,
        params: TemplatePath,
        body: ref(TemplateChanges),
        response: { 200: answer(ref(Template)) },
      },
    },
    async (request) => {
      const member = memberOf(request)
      const { template_id: id } = request.params
      return ok(await editTemplate(rt, member.accountId, id, request.body, authorOf(member)))
    },
  )

  app.delete(
    '/console/api/templates/:template_id',
    {
      config: { console: 'templates:write' },
      schema: {
        operationId: 'removeTemplate',
        summary: 'Delete one language of a template',
        tags,
        params: TemplatePath,
        response: { 200: answer(ref(DeletedTemplate)) },
      },
    },
    async (request) => {
      const member = memberOf(request)
      return ok(await deleteTemplate(rt, member.accountId, request.params.template_id, authorOf(member)))
    },
  )
}
