import { AppError } from '../../contract/app-error.ts'
import type { Runtime } from '../../runtime.ts'
import type { App } from '../edge/context.ts'
import { documentOf } from '../openapi.ts'
import { page, pageHeaders } from '../page.ts'
import { copyButtons, policyWithCopyButtons } from './copy-buttons.ts'
import { errorsBody } from './errors-body.ts'
import { llmsIndex } from './llms.ts'
import { postmanCollection } from './postman.ts'
import { referenceBody } from './reference.ts'
import { styles } from './style.ts'

const hidden = { schema: { hide: true } }

/** Some 300 kB of pages that most processes never show. */
const guideModule = () => import('./guides.ts')

const headersWithCopyButtons = { ...pageHeaders, 'content-security-policy': policyWithCopyButtons }

/** The documentation as plain pages: complete without scripts, nothing fetched from elsewhere, readable without signing in. */
export function addDocsPages(app: App, rt: Runtime): void {
  // Routes do not change after the start, and the reference takes some 100 ms to write.
  let reference: string | undefined
  app.get('/docs/api', hidden, async (_request, reply) => {
    reply.headers(headersWithCopyButtons)
    reference ??= page('API reference', referenceBody(documentOf(app, '/v1/')) + copyButtons)
    return reference
  })
  app.get('/docs', hidden, async (_request, reply) => {
    const { indexBody } = await guideModule()
    reply.headers(pageHeaders)
    return page('Guides', indexBody())
  })
  app.get<{ Params: { slug: string } }>('/docs/:slug', hidden, async (request, reply) => {
    const { guideBody, guides } = await guideModule()
    const guide = guides.find(({ slug }) => slug === request.params.slug)
    if (!guide) throw new AppError('endpoint_not_found', 'There is no such page. All guides are listed at /docs.')
    reply.headers(headersWithCopyButtons)
    return page(guide.title, guideBody(guide) + copyButtons)
  })
  app.get('/docs/postman.json', hidden, async (_request, reply) => {
    reply.header('cache-control', 'no-cache')
    return reply
      .type('application/json; charset=utf-8')
      .send(JSON.stringify(postmanCollection(documentOf(app, '/v1/'))))
  })
  app.get('/llms.txt', hidden, async (_request, reply) => {
    reply.type('text/plain; charset=utf-8').header('cache-control', 'no-cache')
    const { guides } = await guideModule()
    return llmsIndex(documentOf(app, '/v1/'), guides, rt.urls.base)
  })
  app.get('/docs/errors', hidden, async (_request, reply) => {
    reply.headers(pageHeaders)
    return page('Errors', errorsBody())
  })
  app.get('/docs/style.css', hidden, async (_request, reply) => {
    reply.type('text/css; charset=utf-8').header('cache-control', 'no-cache')
    return styles
  })
}
