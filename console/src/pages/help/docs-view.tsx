import { useQuery } from '@tanstack/react-query'
import { type MouseEvent, useEffect, useRef } from 'react'
import { useLocation } from 'wouter'
import { guides } from '../../api-values.ts'
import { copyText } from '../../components/form/copy.tsx'
import { toast } from '../../components/overlay/toast.tsx'
import { Page } from '../../components/page.tsx'
import { QueryView } from '../../components/query-view.tsx'
import { docsAddress } from './inside-address.ts'
import { type DocsPage, loadDocument } from './load-document.ts'
import '../../styles/docs.css'

/** A page of the documentation inside the frame: the same text as at /docs, which needs no sign-in. */
export function DocsView({ page }: { page: string }) {
  const docs = useQuery({
    queryKey: ['docs', page],
    queryFn: ({ signal }) => loadDocument(docsAddress(page), signal),
    staleTime: Number.POSITIVE_INFINITY,
  })
  const trail = [{ title: 'Docs', to: '/help' }]
  if (guides.some(({ slug }) => slug === page)) trail.push({ title: 'Guides', to: '/help/guides' })
  return (
    <Page title={docs.data?.title ?? 'Docs'} trail={trail}>
      <QueryView query={docs}>{(loaded) => <DocsContent docs={loaded} />}</QueryView>
    </Page>
  )
}

function DocsContent({ docs }: { docs: DocsPage }) {
  const box = useRef<HTMLDivElement>(null)
  const [, go] = useLocation()
  useEffect(() => {
    box.current?.replaceChildren(docs.content.cloneNode(true))
    for (const example of box.current?.querySelectorAll('pre') ?? []) addCopyButton(example)
    const place = document.getElementById(decodeURIComponent(location.hash.slice(1)))
    if (place && box.current?.contains(place)) place.scrollIntoView()
  }, [docs])

  /** Links between pages do not load the console anew; those within a page are the browser's. */
  function follow(event: MouseEvent<HTMLDivElement>): void {
    const href = (event.target as Element).closest('a')?.getAttribute('href')
    const isPlain = event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.altKey
    if (!href?.startsWith('/help/') || !isPlain) return
    event.preventDefault()
    go(href)
  }

  // biome-ignore lint/a11y/noStaticElementInteractions: it only hears the clicks of the links inside
  return <div ref={box} className="docs" onClick={follow} onKeyDown={() => {}} />
}

/** As the pages at /docs do by a script of their own. */
function addCopyButton(example: HTMLPreElement): void {
  const frame = document.createElement('div')
  frame.className = 'docs-example'
  const button = document.createElement('button')
  button.type = 'button'
  button.className = 'docs-copy'
  button.textContent = 'Copy'
  button.setAttribute('aria-label', 'Copy example')
  button.addEventListener('click', () => {
    void copyText(example.textContent ?? '').then((done) => done && toast('Copied'))
  })
  example.replaceWith(frame)
  frame.append(example, button)
}
