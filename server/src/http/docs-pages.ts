import { errorTable } from '../contract/errors.ts'
import type { Runtime } from '../runtime.ts'
import type { App } from './edge/context.ts'
import { documentOf, type OpenApiDocument } from './openapi.ts'
import { escapeHtml, page, pageHeaders } from './page.ts'

/** The reference as plain pages: no script, nothing fetched from elsewhere, readable before anyone has signed in. */
export function addDocsPages(app: App, _rt: Runtime): void {
  const hidden = { schema: { hide: true } }
  app.get('/docs/errors', hidden, async (_request, reply) => {
    reply.headers(pageHeaders)
    return page('Errors', errorsBody())
  })
  app.get('/docs/api', hidden, async (_request, reply) => {
    reply.headers(pageHeaders)
    return page('API reference', referenceBody(documentOf(app, '/v1/')))
  })
  app.get('/docs/style.css', hidden, async (_request, reply) => {
    reply.type('text/css; charset=utf-8').header('cache-control', 'no-cache')
    return styles
  })
}

function errorsBody(): string {
  const rows = Object.entries(errorTable).map(
    ([code, { status, type, retryable, title, help }]) => `
    <section id="${code}"><h2><a href="#${code}"><code>${code}</code></a></h2>
      <p class="facts">Status ${status} · ${type} · ${retryable ? 'retryable' : 'not retryable'}</p>
      <p>${escapeHtml(title)}</p><p>${markCode(help)}</p></section>`,
  )
  return `<p>Every error has a stable code, the field that is wrong, a sentence, and whether it is retryable.</p>${rows.join('')}`
}

function referenceBody(document: OpenApiDocument): string {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => operationSection(method, path, operation)),
  )
  return `<p>The machine-readable document is at <a href="/openapi.json">/openapi.json</a>. Errors are explained on
    <a href="/docs/errors">their own page</a>.</p>${operations.join('')}`
}

function operationSection(method: string, path: string, operation: Record<string, unknown>): string {
  const id = String(operation.operationId ?? `${method}-${path}`)
  const scope = operation['x-scope'] ? ` · scope <code>${escapeHtml(String(operation['x-scope']))}</code>` : ''
  const query =
    (operation.parameters as { name: string; in: string; description?: string; required?: boolean }[] | undefined) ?? []
  const body = (operation.requestBody as { content?: Record<string, { schema?: unknown }> } | undefined)?.content
  return `<section id="${escapeHtml(id)}"><h2><span class="method">${method.toUpperCase()}</span> <code>${escapeHtml(path)}</code></h2>
    <p class="facts">${escapeHtml(String(operation.summary ?? ''))}${scope}</p>
    <p>${markCode(String(operation.description ?? ''))}</p>
    ${query.length > 0 ? `<table><thead><tr><th>Parameter</th><th>In</th><th>Meaning</th></tr></thead><tbody>${query.map(parameterRow).join('')}</tbody></table>` : ''}
    ${body ? schemaBlock('Body', Object.values(body)[0]?.schema) : ''}
    ${answers(operation.responses as Record<string, { content?: Record<string, { schema?: unknown }> }>)}</section>`
}

function parameterRow({
  name,
  in: place,
  description = '',
  required,
}: {
  name: string
  in: string
  description?: string
  required?: boolean
}): string {
  return `<tr><td><code>${escapeHtml(name)}</code>${required ? ' (required)' : ''}</td><td>${escapeHtml(place)}</td><td>${markCode(description)}</td></tr>`
}

function answers(responses: Record<string, { content?: Record<string, { schema?: unknown }> }> = {}): string {
  return Object.entries(responses)
    .filter(([status]) => status.startsWith('2'))
    .map(([status, { content }]) => schemaBlock(`Answer ${status}`, Object.values(content ?? {})[0]?.schema))
    .join('')
}

function schemaBlock(title: string, schema: unknown): string {
  return `<details><summary>${title}</summary><pre>${escapeHtml(JSON.stringify(schema ?? {}, null, 2))}</pre></details>`
}

function markCode(text: string): string {
  return escapeHtml(text).replace(/`([^`]+)`/g, '<code>$1</code>')
}

const styles = `:root { color-scheme: light dark; --text: #14181f; --muted: #525c6b; --bg: #fff; --sunken: #eceff3; --border: #c9d0da; --accent: #0b6b5d }
@media (prefers-color-scheme: dark) { :root { --text: #e9ecf1; --muted: #a3adbb; --bg: #0f1216; --sunken: #161a20; --border: #2e3540; --accent: #4fd1b8 } }
* { box-sizing: border-box }
body { margin: 0; background: var(--bg); color: var(--text); font: 14px/1.5 system-ui, sans-serif }
header { display: flex; gap: 16px; padding: 12px 24px; border-bottom: 1px solid var(--border) }
main { max-width: 880px; margin: 0 auto; padding: 24px }
h1 { font-size: 24px; line-height: 1.2 } h2 { font-size: 16px; margin: 0 0 4px; overflow-wrap: anywhere }
section { padding: 16px 0; border-top: 1px solid var(--border); scroll-margin-top: 16px }
section:target { background: var(--sunken); margin: 0 -12px; padding: 16px 12px; border-radius: 6px }
a { color: var(--accent) } .facts { color: var(--muted); margin: 0 0 8px } p { margin: 0 0 8px }
code, pre { font-family: ui-monospace, monospace; font-size: 13px } code { overflow-wrap: anywhere }
.method { font-weight: 600; color: var(--accent) }
pre { overflow-x: auto; background: var(--sunken); padding: 12px; border-radius: 6px; margin: 8px 0 }
table { border-collapse: collapse; width: 100%; margin: 8px 0 } th, td { text-align: left; vertical-align: top; padding: 6px 8px; border-bottom: 1px solid var(--border) }
summary { cursor: pointer; padding: 4px 0 }
:focus-visible { outline: 2px solid #1d4ed8; outline-offset: 2px }
`
