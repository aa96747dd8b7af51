import { canFill } from '../../components/message/template-values.ts'
import { Page } from '../../components/page.tsx'
import { useMay } from '../../session.ts'
import { OlderDraft } from './older-draft.tsx'
import { isWritable, wholeInput } from './read-template.ts'
import { SubmitDraft } from './submit-draft.tsx'
import { TemplateActs } from './template-acts.tsx'
import { TemplateFacts } from './template-facts.tsx'
import { Preview } from './template-preview.tsx'
import type { Template } from './template-status.tsx'
import { StatusNotice, TemplateLead } from './template-status.tsx'
import { useDraftCheck } from './use-draft-check.ts'

export function ReadOnlyTemplate({ record }: { record: Template }) {
  const { pending_edit: edit } = record
  const mayWrite = useMay('templates:write')
  const isOnlyByApi = record.status === 'approved' && !canFill(record)
  const check = useDraftCheck(wholeInput(record))
  const checkOfEdit = useDraftCheck(wholeInput({ ...record, ...edit }))
  return (
    <Page
      title={record.name}
      trail={[{ title: 'Templates', to: '/templates' }]}
      lead={<TemplateLead record={record} />}
      action={
        <div className="row">
          <TemplateActs record={record} />
        </div>
      }
    >
      <div className="stack">
        <StatusNotice record={record} />
        {mayWrite && <OlderDraft key={record.version} record={record} onRestore={null} />}
        {!isWritable(record) && (
          <p className="muted">
            The console can’t edit all of its parts. Edit it with the API, or where it was created.
            {isOnlyByApi && ' Send it with the API too: the call below has its samples.'}
          </p>
        )}
        {record.status === 'draft' && mayWrite && <SubmitDraft record={record} />}
        <div className="split">
          <TemplateFacts record={record} />
          <div className="stack template-seen">
            <Preview check={check.data} title={edit ? 'In use' : 'Preview'} />
            {edit && <Preview check={checkOfEdit.data} title="Under review" />}
          </div>
        </div>
      </div>
    </Page>
  )
}
