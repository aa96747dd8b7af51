import { ApiFailure } from '../../api.ts'
import { insideAddress } from './inside-address.ts'

/** A page of /docs: its title, and its content as nodes that can be put into this page. */
export type DocsPage = { title: string; content: DocumentFragment }

/**
 * Reads a page of the documentation as the gateway serves it to everybody. The browser parses it on its way here, so no
 * text is turned into markup by code, which the policy of the console forbids. Scripts of such a document never run.
 */
export function loadDocument(address: string, signal: AbortSignal): Promise<DocsPage> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open('GET', address)
    request.responseType = 'document'
    request.setRequestHeader('accept', 'text/html')
    request.addEventListener('error', () => reject(new ApiFailure({})))
    request.addEventListener('load', () => {
      const main = request.status === 200 ? request.responseXML?.querySelector('main') : null
      if (main) resolve(contentOf(main))
      else
        reject(
          new ApiFailure({ code: 'endpoint_not_found', message: 'This page of the documentation does not exist.' }),
        )
    })
    signal.addEventListener('abort', () => request.abort())
    request.send()
  })
}

function contentOf(main: Element): DocsPage {
  const heading = main.querySelector('h1')
  const title = heading?.textContent ?? ''
  heading?.remove()
  for (const script of main.querySelectorAll('script')) script.remove()
  for (const link of main.querySelectorAll('a')) {
    link.setAttribute('href', insideAddress(link.getAttribute('href') ?? ''))
  }
  const content = document.createDocumentFragment()
  content.append(...[...main.childNodes].map((node) => document.adoptNode(node)))
  return { title, content }
}
