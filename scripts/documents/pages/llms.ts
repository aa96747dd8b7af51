import type { OpenApiDocument } from '../../../server/src/http/docs/document.ts'
import type { Guide } from '../guide-pages.ts'
import { addressOfOperation, operationsOf } from './reference.ts'

/** All guides in one text, in reading order. */
export function llmsFull(guides: readonly Guide[], base: string): string {
  return guides.map(({ slug, markdown }) => `<!-- ${base}/docs/${slug} -->\n\n${markdown.trim()}\n`).join('\n\n')
}

/** An index of the documentation in the form language models look for at /llms.txt. */
export function llmsIndex(document: OpenApiDocument, guides: readonly Guide[], base: string): string {
  const operations = operationsOf(document).map(
    (one) => `- [${one.method.toUpperCase()} ${one.path}](${base}${addressOfOperation(one)}): ${one.summary}`,
  )
  const pages = guides.map(({ slug, title, summary }) => `- [${title}](${base}/docs/${slug}.md): ${summary}`)
  return `# Postern

> ${String(document.info.description)}

- [API reference](${base}/docs/api): every operation with its fields, examples, errors and samples
- [Errors](${base}/docs/errors): every error code, what it means and what to do
- [All guides as one text](${base}/llms-full.txt)
- [OpenAPI document](${base}/openapi.json): the same as the reference, for tools
- [Postman collection](${base}/docs/postman.json): every operation with an example

## Guides

${pages.join('\n')}

## Operations

${operations.join('\n')}
`
}
