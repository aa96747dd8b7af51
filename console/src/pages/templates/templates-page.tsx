import { lazy } from 'react'
import { useParams, useSearchParams } from 'wouter'
import { TemplateList } from './list/template-list.tsx'

// The editor is larger than the list, which most people come for.
const NewTemplate = lazy(async () => ({ default: (await import('./new-template.tsx')).NewTemplate }))
const TemplateView = lazy(async () => ({ default: (await import('./template-view.tsx')).TemplateView }))

export default function TemplatesPage() {
  const { id } = useParams<{ id?: string }>()
  const [search] = useSearchParams()
  if (id === undefined) return <TemplateList />
  return id === 'new' ? <NewTemplate from={search.get('from')} /> : <TemplateView key={id} id={id} />
}
