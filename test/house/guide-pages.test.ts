import { createHash } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { allCommands } from '../../cli/src/commands.ts'
import { guidePages } from '../../scripts/documents/guide-pages.ts'
import { idleRuntime } from '../../scripts/documents/idle-runtime.ts'
import { scopes } from '../../server/src/contract/scopes.ts'
import { createApp } from '../../server/src/http/app.ts'
import type { Schema } from '../../server/src/http/docs/document.ts'
import { resources } from '../../server/src/http/v1/resources.ts'
import { metricTable } from '../../server/src/observe/metric-table.ts'
import { samplePages } from '../support/guides/samples.ts'
import { publishedApi } from '../support/openapi/published-api.ts'

const root = resolve(import.meta.dirname, '../..')
// The setup of a run with programs has rendered the pages already.
if (process.env.TEST_PROGRAMS === undefined) (await import('../../scripts/build-docs.ts')).buildDocs()
const { guides } = guidePages()
const app = await createApp(idleRuntime(), { readiness: { check: async () => [] }, resources })
await app.ready()
afterAll(() => app.close())
const document = publishedApi()
const pages = samplePages()

const addresses = ['/docs', '/docs/api', '/docs/errors', ...guides.map(({ slug }) => `/docs/${slug}`)]
const served = new Map(await Promise.all(addresses.map(async (path) => [path, await app.inject(path)] as const)))
const bodyOf = (path: string) => served.get(path)?.body ?? ''
const idsOf = (body: string) => [...body.matchAll(/ id="([^"]+)"/g)].map(([, id = '']) => id)

describe('the guides under /docs', () => {
  test('are pages without inline styles, each with its title, and one script that its policy allows by its hash', () => {
    for (const { slug, title } of guides) {
      const answer = served.get(`/docs/${slug}`)
      expect([slug, answer?.statusCode, answer?.headers['content-type']]).toEqual([
        slug,
        200,
        'text/html; charset=utf-8',
      ])
      const scripts = [...(answer?.body ?? '').matchAll(/<script>([\s\S]*?)<\/script>/g)].map(([, text = '']) => text)
      const hashes = scripts.map((text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`)
      expect([slug, scripts.length]).toEqual([slug, 1])
      const policy = String(answer?.headers['content-security-policy']).split('; ')
      expect(policy).toContain("default-src 'none'")
      expect(policy.filter((rule) => rule.startsWith('script-src'))).toEqual([`script-src ${hashes[0]}`])
      expect(answer?.body).toContain(`<h1>${title}</h1>`)
      expect(answer?.body).not.toMatch(/<script |style="|javascript:| on\w+="|<img/)
    }
  })

  test('have an index that leads to every page of docs/guides and docs/recipes', () => {
    const files = globSync(['docs/guides/*.md', 'docs/recipes/*.md'], { cwd: root }).filter(
      (file) => !file.endsWith('README.md'),
    )
    expect(files.length).toBeGreaterThan(14)
    for (const file of files) {
      const slug = file.replace(/^.*\/(.+)\.md$/, '$1')
      expect(bodyOf('/docs')).toContain(`<a href="/docs/${slug}">`)
    }
  })

  test('have no JSON in the cells of their tables, and parse what they show as JSON', () => {
    const inCells = guides.flatMap(({ slug, html }) =>
      [...html.matchAll(/<td>(.*?)<\/td>/gs)].flatMap(([, cell = '']) =>
        /<code>[{[]+&quot;/.test(cell) ? [slug] : [],
      ),
    )
    expect(inCells).toEqual([])
    for (const { page, samples } of pages) {
      for (const { code } of samples.filter(({ language }) => language === 'json')) {
        expect(() => JSON.parse(code), `${page}: ${code}`).not.toThrow()
      }
    }
  })

  test('link only to pages and headings that exist', async () => {
    // Every page links to nearly every other: each is asked for once.
    const found = new Map<string, Set<string> | null>()
    const idsAt = async (path: string) => {
      const known = found.get(path)
      if (known !== undefined) return known
      const { statusCode, body } = served.get(path) ?? (await app.inject(path))
      const ids = statusCode === 200 ? new Set(idsOf(body)) : null
      found.set(path, ids)
      return ids
    }
    const broken: string[] = []
    for (const [from, { body }] of served) {
      const ids = idsOf(body)
      expect(ids.filter((id, at) => ids.indexOf(id) !== at)).toEqual([])
      for (const [, href = ''] of body.matchAll(/href="([^"]+)"/g)) {
        if (/^(https?:|mailto:)/.test(href) || href === '/' || href === '/docs/style.css') continue
        const [path = '', id] = href.split('#')
        const there = await idsAt(path || from)
        if (!there || (id !== undefined && !there.has(id))) broken.push(`${from}: ${href}`)
      }
    }
    expect(broken).toEqual([])
  })

  test('do not pass HTML of the Markdown through', () => {
    expect(bodyOf('/docs/configuration')).not.toContain('<!--')
    expect(bodyOf('/docs/webhooks')).toContain('&lt;?php')
  })

  test('answer 404 for a page that does not exist, and for a file that is no page', async () => {
    for (const name of ['nothing', 'api.html', 'list.json', 'constructor', '..%2Fdist%2Fapi.html', '..%2Ferrors.md']) {
      const { statusCode, body } = await app.inject(`/docs/${name}`)
      const { code, message } = JSON.parse(body).error
      expect([name, statusCode, code]).toEqual([name, 404, 'endpoint_not_found'])
      expect(message).toBe('There is no such page. All guides are listed at /docs.')
    }
  })

  test('are Markdown too, one by one and as one text, with links that lead somewhere', async () => {
    const { body: all } = await app.inject('/llms-full.txt')
    const linked = new Map<string, number>()
    const broken: string[] = []
    for (const { slug, title } of guides) {
      const { body, headers } = await app.inject(`/docs/${slug}.md`)
      expect([slug, headers['content-type']]).toEqual([slug, 'text/markdown; charset=utf-8'])
      expect(body).toContain(`# ${title}`)
      expect(all).toContain(body.trim())
      const text = body.replace(/^```[\s\S]*?^```$|`[^`\n]+`/gm, '')
      for (const [, href = ''] of text.matchAll(/\]\(([^)\s]+)\)/g)) {
        if (/^(https?:|mailto:|#)/.test(href)) continue
        const path = href.split('#')[0] ?? ''
        if (!linked.has(path)) linked.set(path, (await app.inject(path)).statusCode)
        if (linked.get(path) !== 200) broken.push(`${slug}: ${href}`)
      }
    }
    expect(broken).toEqual([])
  })

  test('answer HEAD with the headers of GET', async () => {
    for (const path of [...addresses, '/docs/postman.json', '/docs/style.css', '/llms.txt']) {
      const got = await app.inject(path)
      const head = await app.inject({ method: 'HEAD', url: path })
      const names = ['content-type', 'content-length', 'content-security-policy', 'cache-control']
      const pick = (answer: typeof got) => names.map((name) => answer.headers[name])
      expect([path, head.statusCode, head.body, pick(head)]).toEqual([path, 200, '', pick(got)])
      expect([path, got.headers['cache-control']]).toEqual([path, 'no-cache'])
    }
  })

  test('are listed in llms.txt', async () => {
    const { body } = await app.inject('/llms.txt')
    for (const { slug } of guides) expect(body).toContain(`/docs/${slug}.md)`)
  })
})

describe('what the guides name', () => {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  )

  test('calls that exist', () => {
    const named = pages.flatMap(({ page, text }) =>
      [...text.matchAll(/\b(GET|POST|PUT|DELETE) (\/v1\/[\w/{}-]+)/g)].map(([, method, path]) => ({
        page,
        call: `${method} ${path}`,
      })),
    )
    expect(named.length).toBeGreaterThan(20)
    expect(named.filter(({ call }) => !operations.includes(call))).toEqual([])
  })

  test('fields, values, error codes and scopes that exist', () => {
    const known = new Set([
      ...[...wordsOf(document), ...scopes, ...contentWords(), ...templateWords, ...othersWords],
      ...Object.values(metricTable).map(({ name }) => name),
      ...deliveryWords.flatMap(wordsIn),
      ...wordsIn('server/src/contract/events.ts'),
      ...wordsIn('server/src/messages/erase/erase-customer.ts'),
    ])
    const unknown = pages.flatMap(({ page, text }) => {
      const spans = [...text.replace(/^```[\s\S]*?^```$/gm, '').matchAll(/`([a-z]+(?:_[a-z]+)+)`/g)]
      const keys = [...text.matchAll(/^```json\n([\s\S]*?)^```$/gm)].flatMap(([, json = '']) =>
        keysOf(JSON.parse(json)),
      )
      return [...spans.map(([, word = '']) => word), ...keys]
        .filter((word) => !known.has(word))
        .map((one) => [page, one])
    })
    expect(unknown).toEqual([])
  })

  test('commands and flags that exist', async () => {
    const commands = await allCommands()
    const lines = pages.flatMap(({ text }) =>
      [...text.matchAll(/npx --no-install postern ([a-z][^\n`|]*)/g)].map(([, line = '']) => line),
    )
    expect(lines.length).toBeGreaterThan(20)
    const wrong = lines.filter((line) => {
      const command = commands
        .filter(({ name }) => `${line} `.startsWith(`${name} `))
        .sort((a, b) => b.name.length - a.name.length)[0]
      const flags = [...line.matchAll(/ --([a-z-]+)/g)].map(([, flag = '']) => flag)
      return !command || flags.some((flag) => !['help', 'json'].includes(flag) && !(flag in command.options))
    })
    expect(wrong).toEqual([])
  })
})

/** Names of fields and parameters, and the values and codes a field can have. */
function wordsOf(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(wordsOf)
  if (typeof value !== 'object' || value === null) return []
  const schema = value as Schema & { name?: unknown; 'x-errors'?: string[] }
  const own = [
    ...Object.keys(schema.properties ?? {}),
    ...(schema.enum ?? []),
    schema.const,
    schema.name,
    ...(schema['x-errors'] ?? []),
  ]
  return [...own.filter((one) => typeof one === 'string'), ...Object.values(value).flatMap(wordsOf)]
}

function keysOf(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(keysOf)
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, one]) => [key, ...keysOf(one)])
}

/** What messages of customers hold, which the API document leaves open. */
const contentWords = () => wordsIn('server/src/messages/content/inbound-content.ts')

function wordsIn(path: string): string[] {
  return readFileSync(join(root, path), 'utf8').match(/[a-z]+(?:_[a-z]+)+/g) ?? []
}

/** What goes wrong with a delivery. */
const deliveryWords = [
  'server/src/webhooks/delivery/judge-answer.ts',
  'server/src/lib/guarded-http/guarded-http-failure.ts',
]

/** Templates of the catalog and their variables. */
const templateWords = [
  ...['order_confirmation', 'shipping_update', 'appointment_reminder', 'payment_received'],
  ...['order_id', 'tracking_number', 'invoice_id'],
  ...['request_contact_info', 'one_tap', 'zero_tap', 'hello_world'],
]

/** Words of Meta and of others, on the pages for those who come from there. */
const othersWords = [
  ...['biz_opaque_callback_data', 'message_template_status_update', 'user_changed_number', 'address_message'],
  ...['contact_request', 'client_credentials', 'fbtrace_id', 'provider_config', 'phone_id'],
  ...['webhook_configuration', 'override_callback_uri', 'smb_message_echoes', 'user_preferences'],
  ...['challenge', 'pricing_analytics'],
  ...['source_id', 'source_type', 'source_url', 'ctwa_clid'],
]
