import { useQuery } from '@tanstack/react-query'
import { Page } from '../../components/page.tsx'
import { QueryView } from '../../components/query-view.tsx'
import { useMay } from '../../session.ts'
import { ReadOnlyTemplate } from './read-only-template.tsx'
import { isWritable, readTemplate } from './read-template.ts'
import { TemplateEditor } from './template-editor.tsx'
import { templateQuery } from './template-query.ts'

const editable = ['draft', 'approved', 'rejected', 'paused']

/** One template: the editor where it can be changed, else what it says and why it cannot. */
export function TemplateView({ id }: { id: string }) {
  const mayWrite = useMay('templates:write')
  const template = useQuery(templateQuery(id))
  const record = template.data
  if (!record) {
    return (
      <Page title="Template" trail={[{ title: 'Templates', to: '/templates' }]}>
        <QueryView query={template}>{() => null}</QueryView>
      </Page>
    )
  }
  const isOpen = editable.includes(record.status) && record.pending_edit === null
  const canEdit = mayWrite && isOpen && isWritable(record)
  // What is being written survives news about the status; new content starts the form again.
  return canEdit ? (
    <TemplateEditor key={record.version} start={readTemplate(record)} record={record} />
  ) : (
    <ReadOnlyTemplate record={record} />
  )
}
