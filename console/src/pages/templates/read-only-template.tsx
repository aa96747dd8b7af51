import { Page } from '../../components/page.tsx'
import { isWritable, readTemplate } from './read-template.ts'
import { TemplateActs } from './template-acts.tsx'
import { toInput } from './template-draft.ts'
import { TemplateFacts } from './template-facts.tsx'
import { TemplateLead } from './template-lead.tsx'
import { Preview } from './template-preview.tsx'
import type { Template } from './template-status.tsx'
import { StatusNotice } from './template-status.tsx'
import { useDraftCheck } from './use-draft-check.ts'

export function ReadOnlyTemplate({ record }: { record: Template }) {
  const { pending_edit: edit } = record
  const check = useDraftCheck(toInput(readTemplate(record)))
  const checkOfEdit = useDraftCheck(toInput(readTemplate({ ...record, ...edit })))
  return (
    <Page
      title={record.name}
      trail={[{ title: 'Templates', to: '/templates' }]}
      lead={<TemplateLead record={record} />}
      action={<TemplateActs record={record} />}
    >
      <div className="stack">
        <StatusNotice record={record} />
        {!isWritable(record) && (
          <p className="muted">Parts of it can only be edited where it was created, and may not be shown here.</p>
        )}
        <div className="split">
          <TemplateFacts record={record} />
          <div className="stack">
            <Preview check={check.data} title={edit ? 'In use' : 'Preview'} />
            {edit && <Preview check={checkOfEdit.data} title="Under review" />}
          </div>
        </div>
      </div>
    </Page>
  )
}
