import { useQuery } from '@tanstack/react-query'
import { Page } from '../../components/page.tsx'
import { QueryView } from '../../components/query-view.tsx'
import { NoPermission } from '../../components/state.tsx'
import { useMay, useSession } from '../../session.ts'
import { readTemplate } from './read-template.ts'
import { emptyDraft } from './template-draft.ts'
import { TemplateEditor } from './template-editor.tsx'
import { templateQuery } from './template-query.ts'

/** An empty form, or one that begins with the content of another template. */
export function NewTemplate({ from }: { from: string | null }) {
  const { user, owners } = useSession()
  const mayWrite = useMay('templates:write')
  const origin = useQuery({ ...templateQuery(from ?? ''), enabled: from !== null })
  const page = { title: 'New template', trail: [{ title: 'Templates', to: '/templates' }] }
  if (!mayWrite) {
    return (
      <Page {...page}>
        <NoPermission role={user.role} what="the template editor" owners={owners} />
      </Page>
    )
  }
  if (from === null) return <TemplateEditor start={emptyDraft} record={null} />
  if (origin.data) return <TemplateEditor start={{ ...readTemplate(origin.data), name: '' }} record={null} />
  return (
    <Page {...page}>
      <QueryView query={origin}>{() => null}</QueryView>
    </Page>
  )
}
