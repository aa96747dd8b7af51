import { baseUrlMark, type DocsFile, listName } from '../../../server/src/http/docs/docs-pages.ts'
import type { OpenApiDocument } from '../../../server/src/http/docs/document.ts'
import { page, pageHeaders } from '../../../server/src/http/page.ts'
import type { GuidePages } from '../guide-pages.ts'
import { copyButtons, policyWithCopyButtons } from './copy-buttons.ts'
import { errorsBody } from './errors-body.ts'
import { guideBody, indexBody } from './guides.ts'
import { llmsIndex } from './llms.ts'
import { postmanCollection } from './postman.ts'
import { referenceBody } from './reference.ts'
import { styles } from './style.ts'

type Served = DocsFile & { address: string; content: string }

const withCopyButtons = { ...pageHeaders, 'content-security-policy': policyWithCopyButtons }

/**
 * The documentation as plain pages: complete without scripts, nothing fetched from elsewhere. By the names of the files;
 * one of them lists the addresses and headers of the others.
 */
export function docsFiles(document: OpenApiDocument, { index, guides }: GuidePages): Map<string, string> {
  const served: Served[] = [
    plainPage('/docs', 'Guides', indexBody(index)),
    pageWithExamples('/docs/api', 'API reference', referenceBody(document)),
    plainPage('/docs/errors', 'Errors', errorsBody()),
    ...guides.map((guide) => pageWithExamples(`/docs/${guide.slug}`, guide.title, guideBody(guide, guides))),
    textFile('/docs/postman.json', 'application/json', JSON.stringify(postmanCollection(document))),
    textFile('/docs/style.css', 'text/css', styles),
    textFile('/llms.txt', 'text/plain', llmsIndex(document, guides, baseUrlMark)),
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
