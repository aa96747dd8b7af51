import { baseUrlMark, type DocsFile, listName } from '../../../server/src/http/docs/docs-pages.ts'
import type { OpenApiDocument } from '../../../server/src/http/docs/document.ts'
import { page, pageHeaders } from '../../../server/src/http/page.ts'
import type { GuidePages } from '../guide-pages.ts'
import { copyButtons, policyWithCopyButtons } from './copy-buttons.ts'
import { errorsBody } from './errors-body.ts'
import { guideBody, indexBody } from './guides.ts'
import { llmsFull, llmsIndex } from './llms.ts'
import { postmanCollection } from './postman.ts'
import { operationsOf, referencePages } from './reference.ts'
import { searchBody, searchIndex, searchPolicy } from './search.ts'
import { styles } from './style.ts'

type Served = DocsFile & { address: string; content: string }

const withSearch = { ...pageHeaders, 'content-security-policy': searchPolicy }
const withCopyButtons = { ...pageHeaders, 'content-security-policy': policyWithCopyButtons }

/**
 * The documentation as plain pages: complete without scripts, nothing fetched from elsewhere. By the names of the files;
 * one of them lists the addresses and headers of the others.
 */
export function docsFiles(document: OpenApiDocument, { index, guides }: GuidePages): Map<string, string> {
  const served: Served[] = [
    plainPage('/docs', 'Guides', indexBody(index)),
    ...referencePages(document).map(({ address, title, body }) => pageWithExamples(address, title, body)),
    plainPage('/docs/errors', 'Errors', errorsBody()),
    ...guides.map((guide) => pageWithExamples(`/docs/${guide.slug}`, guide.title, guideBody(guide, guides))),
    { ...plainPage('/docs/search', 'Search', searchBody), headers: withSearch },
    textFile('/docs/search.json', 'application/json', searchIndex(guides, operationsOf(document))),
    ...guides.map(({ slug, markdown }) => textFile(`/docs/${slug}.md`, 'text/markdown', markdown)),
    textFile('/docs/postman.json', 'application/json', JSON.stringify(postmanCollection(document))),
    textFile('/docs/style.css', 'text/css', styles),
    textFile('/llms.txt', 'text/plain', llmsIndex(document, guides, baseUrlMark)),
    textFile('/llms-full.txt', 'text/plain', llmsFull(guides, baseUrlMark)),
  ]
  const files = new Map(served.map(({ file, content }) => [file, content]))
  if (files.size < served.length) throw new Error('Two pages of the documentation have the same name.')
  const list = Object.fromEntries(served.map(({ address, file, headers }) => [address, { file, headers }]))
  // Last, so that it never names a file that is not written yet.
  return files.set(listName, JSON.stringify(list))
}

function plainPage(address: string, title: string, body: string): Served {
  const file = `${address.slice('/docs/'.length) || 'index'}.html`
  return { address, file, headers: pageHeaders, content: page(title, body) }
}

function pageWithExamples(address: string, title: string, body: string): Served {
  return { ...plainPage(address, title, body + copyButtons), headers: withCopyButtons }
}

function textFile(address: string, type: string, content: string): Served {
  const headers = { 'content-type': `${type}; charset=utf-8`, 'cache-control': 'no-cache' }
  return { address, file: address.slice(address.lastIndexOf('/') + 1), headers, content }
}
