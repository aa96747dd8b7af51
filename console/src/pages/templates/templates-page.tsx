import { useParams, useSearchParams } from 'wouter'
import { NewTemplate } from './new-template.tsx'
import { TemplateList } from './template-list.tsx'
import { TemplateView } from './template-view.tsx'

export default function TemplatesPage() {
  const { id } = useParams<{ id?: string }>()
  const [search] = useSearchParams()
  if (id === undefined) return <TemplateList />
  return id === 'new' ? <NewTemplate from={search.get('from')} /> : <TemplateView key={id} id={id} />
}
