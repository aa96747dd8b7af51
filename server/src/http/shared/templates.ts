import type { Static } from 'typebox'
import { answer, ok } from '../../contract/envelope.ts'
import { furtherChecks, ref } from '../../contract/schema.ts'
import { TemplateChanges, TemplateDraft } from '../../contract/template-draft.ts'
import {
  DeletedTemplate,
  Template,
  TemplateList,
  TemplatePath,
  TemplateQuery,
  TemplateWithHistory,
} from '../../contract/templates.ts'
import { parseLanguage } from '../../lib/text/language.ts'
import type { Runtime } from '../../runtime.ts'
import { requireAllowed } from '../../templates/check/check-draft.ts'
import { createTemplate } from '../../templates/create-template.ts'
import { editTemplate } from '../../templates/edit-template.ts'
import { getTemplate, listTemplates } from '../../templates/get-template.ts'
import { deleteTemplate } from '../../templates/submit-template.ts'
import { type App, routesOf } from '../edge/context.ts'
import type { Mount } from './mount.ts'

const route = routesOf('Templates')

/** Templates of the account: list, create, read, change, delete. */
export function addTemplateRoutes(app: App, rt: Runtime, mount: Mount): void {
  app.get(
    `${mount.chat}/templates`,
    route({
      config: mount.may('templates:read'),
      operationId: 'listTemplates',
      summary: 'List templates by name and language',
      querystring: TemplateQuery,
      response: { 200: answer(ref(TemplateList)) },
    }),
    async (request) =>
      ok(await listTemplates(rt, mount.principalOf(rt, request).accountId, readTemplateQuery(request.query))),
  )

  app.post(
    `${mount.chat}/templates`,
    route({
      config: mount.may('templates:write', { idempotent: true }),
      operationId: 'createTemplate',
      summary: 'Create a template and submit it for review',
      body: ref(TemplateDraft),
      ...furtherChecks('name', 'body', 'components'),
      response: { 201: answer(ref(Template)) },
    }),
    async (request, reply) => {
      const principal = mount.principalOf(rt, request)
      const created = await createTemplate(rt, principal, request.body, await principal.author())
      return reply.code(201).send(ok(created))
    },
  )
  addOneTemplateRoutes(app, rt, mount)
}

function addOneTemplateRoutes(app: App, rt: Runtime, mount: Mount): void {
  app.get(
    `${mount.chat}/templates/:template_id`,
    route({
      config: mount.may('templates:read'),
      operationId: 'getTemplate',
      summary: 'Get a template with its history',
      params: TemplatePath,
      response: { 200: answer(ref(TemplateWithHistory)) },
    }),
    async (request) => ok(await getTemplate(rt, mount.principalOf(rt, request).accountId, request.params.template_id)),
  )

  app.put(
    `${mount.chat}/templates/:template_id`,
    route({
      config: mount.may('templates:write'),
      operationId: 'updateTemplate',
      summary: 'Edit a template and submit it again',
      params: TemplatePath,
      body: ref(TemplateChanges),
      ...furtherChecks('body', 'components', 'submit'),
      response: { 200: answer(ref(Template)) },
    }),
    async (request) => {
      const principal = mount.principalOf(rt, request)
      const { template_id: id } = request.params
      const { accountId } = await requireAllowed(rt, principal, id)
      return ok(await editTemplate(rt, accountId, id, { ...request.body, author: await principal.author() }))
    },
  )

  app.delete(
    `${mount.chat}/templates/:template_id`,
    route({
      config: mount.may('templates:write'),
      operationId: 'deleteTemplate',
      summary: 'Delete one language of a template',
      params: TemplatePath,
      response: { 200: answer(ref(DeletedTemplate)) },
    }),
    async (request) => {
      const principal = mount.principalOf(rt, request)
      const { template_id: id } = request.params
      const { accountId } = await requireAllowed(rt, principal, id)
      return ok(await deleteTemplate(rt, accountId, id, await principal.author()))
    },
  )
}

/** The question of a list of templates, as the API and the console both ask it. */
function readTemplateQuery(query: Static<typeof TemplateQuery>) {
  const { limit = 25, cursor = null, status, language, category, name, search, source } = query
  return {
    filters: {
      statuses: status?.split(',') ?? null,
      category: category ?? null,
      language: language === undefined ? null : parseLanguage(language),
      name: name ?? null,
      search: search ?? null,
      source: source ?? null,
    },
    limit,
    cursor,
  }
}
