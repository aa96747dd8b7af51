import { authorOf } from '../../access/console-member.ts'
import { CatalogSubmission, CheckedDraft } from '../../contract/console/templates.ts'
import { answer, ok } from '../../contract/envelope.ts'
import { ref } from '../../contract/schema.ts'
import { TemplateDraft } from '../../contract/template-draft.ts'
import type { Runtime } from '../../runtime.ts'
import { submitCatalog } from '../../templates/catalog/seed-catalog.ts'
import { checkDraft } from '../../templates/check/check-draft.ts'
import type { App } from '../edge/context.ts'
import { routesOf } from '../edge/context.ts'
import { memberOf } from './console-access.ts'

const route = routesOf('Templates')

/** Template routes for the console only: checks while typing, submitting the catalog. */
export function addConsoleTemplateRoutes(app: App, rt: Runtime): void {
  app.post(
    '/console/api/templates/check',
    route({
      config: { console: 'templates:read' },
      operationId: 'checkTemplateDraft',
      summary: 'What is wrong with a template, and how it would look',
      body: ref(TemplateDraft),
      response: { 200: answer(ref(CheckedDraft)) },
    }),
    async (request) => {
      const { problems, preview } = await checkDraft(rt, memberOf(request).accountId, request.body)
      const shown = problems.map(({ field, code, message }) => ({ field, code, message }))
      return ok({ problems: shown, preview })
    },
  )

  app.post(
    '/console/api/templates/catalog',
    route({
      config: { console: 'templates:write' },
      operationId: 'submitCatalog',
      summary: 'Submit the templates every account starts with',
      response: { 200: answer(ref(CatalogSubmission)) },
    }),
    async (request) => {
      const member = memberOf(request)
      return ok(await submitCatalog(rt, member.accountId, authorOf(member)))
    },
  )
}
