import type { Schemas } from '../../api.ts'
import { StatusChip } from '../../components/chip.tsx'
import { CopyText, shortened } from '../../components/form/copy.tsx'
import { Icon } from '../../components/icon.tsx'
import { Notice } from '../../components/state.tsx'
import { ExactTime, RelativeTime } from '../../components/time.tsx'
import { languageName } from './languages.ts'

export type Template = Schemas['TemplateWithHistory']
type Listed = Schemas['ListedTemplate']

/** The chip, and in a few words why: since when it waits, or until when it rests. */
export function TemplateStatus({ record }: { record: Listed }) {
  const { status, status_reason: reason, submitted_at: submittedAt, pending_edit: edit } = record
  return (
    <span className="row">
      <StatusChip status={status} />
      {status === 'pending' && submittedAt && (
        <span className="small muted">
          submitted <RelativeTime at={submittedAt} />
        </span>
      )}
      {edit && (
        <span className="small muted">
          edit submitted <RelativeTime at={edit.submitted_at} />
        </span>
      )}
      {reason?.until && (
        <span className="small muted">
          until <ExactTime at={reason.until} />
        </span>
      )}
      {reason && !reason.until && <span className="small muted template-reason">{reason.message}</span>}
    </span>
  )
}

const qualityWords = { high: 'High', medium: 'Medium', low: 'Low' } as const

export function Quality({ quality }: { quality: Listed['quality'] }) {
  if (quality === null) return <span className="muted">–</span>
  return (
    <span className="row quality" data-quality={quality}>
      <Icon name={quality === 'high' ? 'check' : quality === 'medium' ? 'info' : 'alert'} size={15} />
      {qualityWords[quality]}
    </span>
  )
}

/** What stands in the way comes first, with what to do about it. */
export function StatusNotice({ record }: { record: Template }) {
  const { status, status_reason: reason, submitted_at: submittedAt, pending_edit: edit } = record
  if (edit) {
    return (
      <Notice icon="clock">
        Meta is reviewing an edit, submitted <RelativeTime at={edit.submitted_at} />. Customers get the approved version
        until the review is over; if the edit is rejected, the template cannot be sent until a new edit is approved.
      </Notice>
    )
  }
  if (status === 'pending') {
    return (
      <Notice icon="clock">
        Meta is reviewing it{submittedAt && <>, submitted </>}
        {submittedAt && <RelativeTime at={submittedAt} />}. It can be changed and sent once the review is over.
      </Notice>
    )
  }
  if (!reason) return null
  const isBad = status === 'rejected' || status === 'disabled'
  return (
    <Notice tone={isBad ? 'error' : 'warn'} icon="alert">
      <p>
        <strong>{reason.message}</strong> <code>{reason.code}</code>
      </p>
      {reason.recommendation && <p>{reason.recommendation}</p>}
      {reason.until && (
        <p>
          It can be sent again after <ExactTime at={reason.until} />.
        </p>
      )}
    </Notice>
  )
}

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
