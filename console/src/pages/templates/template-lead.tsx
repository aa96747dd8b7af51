import { StatusChip } from '../../components/chip.tsx'
import { CopyText, shortened } from '../../components/form/copy.tsx'
import { languageName } from './languages.ts'
import type { Template } from './template-status.tsx'

export function TemplateLead({ record }: { record: Template }) {
  return (
    <span className="row">
      <StatusChip status={record.status} />
      <span>
        {languageName(record.language)} · {record.category}
      </span>
      <CopyText text={record.id} shown={shortened(record.id, 10, 6)} what="template id" />
    </span>
  )
}
