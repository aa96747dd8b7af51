import { answer, ok } from '../../contract/envelope.ts'
import { furtherChecks, optionalBody, ref } from '../../contract/schema.ts'
import { PreviewRequest, TemplatePreview } from '../../contract/template-preview.ts'
import { TemplatePath } from '../../contract/templates.ts'
import type { Runtime } from '../../runtime.ts'
import { showTemplateCounts } from '../../templates/get-template.ts'
import { previewTemplate } from '../../templates/values/match-parameters.ts'
import { type App, callerOf, routesOf } from '../edge/context.ts'

const route = routesOf('Templates')

/** Template routes for programs only. */
export function addTemplatePreviewRoute(app: App, rt: Runtime): void {
  rt.metrics.onRender(() => showTemplateCounts(rt))

  app.post(
    '/v1/chat/templates/:template_id/preview',
    route({
      config: { access: { scope: 'templates:read' } },
      operationId: 'previewTemplate',
      summary: 'Preview a template',
      description: 'Shows the message as a customer would see it.',
      params: TemplatePath,
      body: optionalBody(ref(PreviewRequest)),
      ...furtherChecks('components'),
      response: { 200: answer(ref(TemplatePreview)) },
    }),
    async (request) => {
      const { components } = request.body ?? {}
      return ok(await previewTemplate(rt, callerOf(request).accountId, request.params.template_id, components))
    },
  )
}
