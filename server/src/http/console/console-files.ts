import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../../contract/app-error.ts'
import type { Runtime } from '../../runtime.ts'
import { version } from '../../version.ts'
import type { App } from '../edge/context.ts'
import { wantsPage } from '../page.ts'

const built = resolve(import.meta.dirname, '../../../../console/dist')
const hidden = { schema: { hide: true } }

/** Pages of the console; everything else that looks like a path is an endpoint that does not exist. */
const pages = [
  '/sign-in',
  '/setup',
  '/broadcasts',
  '/broadcasts/*',
  '/conversations',
  '/customer',
  '/number/:id',
  '/messages',
  '/messages/*',
  '/sandbox',
  '/templates',
  '/templates/*',
  '/analytics',
  '/costs',
  '/api-keys',
  '/webhooks',
  '/webhooks/*',
  '/connections',
  '/connections/*',
  '/logs',
  '/channel',
  '/connect',
  '/installation',
  '/settings',
  '/settings/*',
  '/help',
  '/help/*',
]

/** No inline code, nothing from elsewhere, and no text that turns into markup by itself. */
const pagePolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "font-src 'self'",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "object-src 'none'",
  "require-trusted-types-for 'script'",
].join('; ')

/** The built files: compressed once by the build, cached for a year under names that change with their content. */
export async function addConsoleFiles(app: App, rt: Runtime): Promise<void> {
  await app.register(fastifyStatic, {
    root: join(built, 'assets'),
    prefix: '/assets/',
    preCompressed: true,
    immutable: true,
    maxAge: '365d',
    index: false,
    dotfiles: 'ignore',
    suppressWarning: true,
    setHeaders: (reply) => void reply.header('cross-origin-resource-policy', 'same-origin'),
  })
  for (const file of ['theme.js', 'favicon.svg', 'favicon-unread.svg']) {
    app.get(`/${file}`, hidden, async (_request, reply) => {
      reply.header('cache-control', 'no-cache').header('cross-origin-resource-policy', 'same-origin')
      return reply.sendFile(file, built, { cacheControl: false })
    })
  }
  app.get('/', hidden, async (request, reply) => {
    reply.header('vary', 'Accept')
    return wantsPage(request.headers.accept) ? sendConsole(request, reply) : indexOf(rt)
  })
  for (const page of pages) app.get(page, hidden, sendConsole)
}

/** Response to a program at the base address: the name of the service, and links to continue. */
function indexOf({ urls }: Runtime): object {
  const links = {
    api: '/v1',
    openapi: '/openapi.json',
    docs: '/docs',
    go_live: '/docs/go-live',
    errors: '/docs/errors',
    health: '/readyz',
  }
  const absolute = Object.fromEntries(Object.entries(links).map(([name, path]) => [name, `${urls.base}${path}`]))
  return { name: 'postern', version, links: { ...absolute, console: urls.console } }
}

async function sendConsole(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const path = request.url.split('?', 1)[0] ?? ''
  if (!wantsPage(request.headers.accept)) {
    throw new AppError('endpoint_not_found', `There is no endpoint ${request.method} ${path.slice(0, 200)}.`)
  }
  if (!existsSync(join(built, 'index.html'))) {
    throw new AppError('endpoint_not_found', 'The console is not built: run node scripts/build-console.ts.')
  }
  return reply
    .headers({
      'cache-control': 'no-cache',
      'content-security-policy': pagePolicy,
      // Not no-referrer: the check of where a request comes from needs the origin.
      'referrer-policy': 'same-origin',
      'permissions-policy': 'camera=(), microphone=(), geolocation=()',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      'x-frame-options': 'DENY',
    })
    .sendFile('index.html', built, { cacheControl: false })
}
