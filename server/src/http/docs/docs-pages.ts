import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { FastifyReply } from 'fastify'
import { AppError } from '../../contract/app-error.ts'
import type { Runtime } from '../../runtime.ts'
import type { App } from '../edge/context.ts'

/** A rendered file and the headers it is served with. */
export type DocsFile = { file: string; headers: Readonly<Record<string, string>> }

/** Names the other files by their addresses. */
export const listName = 'list.json'
/** Stands in a file for the address of the installation. */
export const baseUrlMark = '{{base_url}}'

const built = resolve(import.meta.dirname, '../../../../docs/dist')
const hidden = { schema: { hide: true } }
const fixed = ['/docs', '/docs/api', '/docs/errors', '/docs/postman.json', '/docs/style.css']

/** The documentation, rendered by `scripts/build-docs.ts` and readable without signing in. */
export function addDocsPages(app: App, rt: Runtime): void {
  for (const address of fixed) app.get(address, hidden, async (_request, reply) => contentOf(address, reply))
  app.get<{ Params: { slug: string } }>('/docs/:slug', hidden, async ({ params }, reply) =>
    contentOf(`/docs/${params.slug}`, reply),
  )
  for (const address of ['/llms.txt', '/llms-full.txt']) {
    app.get(address, hidden, async (_request, reply) => {
      const content = await contentOf(address, reply)
      return content.toString().replaceAll(baseUrlMark, () => rt.urls.base)
    })
  }
}

async function contentOf(address: string, reply: FastifyReply): Promise<Buffer> {
  const found = (await listed()).get(address)
  if (!found) throw new AppError('endpoint_not_found', 'There is no such page. All guides are listed at /docs.')
  reply.headers(found.headers)
  return readFile(join(built, found.file))
}

/** Read anew each time: pages are opened rarely, and may be rendered again while the gateway runs. */
async function listed(): Promise<Map<string, DocsFile>> {
  const list = await readFile(join(built, listName), 'utf8').catch(() => null)
  if (list === null) {
    throw new AppError('endpoint_not_found', 'The documentation is not built: run node scripts/build-docs.ts.')
  }
  return new Map(Object.entries(JSON.parse(list) as Record<string, DocsFile>))
}
