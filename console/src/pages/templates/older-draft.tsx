import { useState } from 'react'
import { Button } from '../../components/form/button.tsx'
import { CopyButton } from '../../components/form/copy.tsx'
import { Notice } from '../../components/state.tsx'
import { keptDrafts, useKeptDraft } from '../../drafts.ts'
import { useSession } from '../../session.ts'
import type { Draft, TemplateRecord } from './template-draft.ts'

type Props = {
  record: TemplateRecord
  /** Null: the template can't be edited as it is now. */
  onRestore: ((draft: Draft) => void) | null
}

/** Another tab or person saved while this one was writing: what was written here is neither lost nor put over theirs. */
export function OlderDraft({ record, onRestore }: Props) {
  const { user } = useSession()
  const [version] = useState(() => newestOf(user.id, record, onRestore ? record.version : null))
  const [older, keep] = useKeptDraft<Draft | null>(user.id, `template.${record.id}.${version}`, null)
  if (version === null || older === null) return null
  return (
    <Notice tone="warn" icon="alert">
      <p>
        Someone else changed this template while you were writing.{' '}
        {onRestore
          ? 'The form shows their version.'
          : 'Your draft is kept in this tab until the template can be edited again.'}
      </p>
      <div className="row">
        {onRestore ? (
          <Button
            onClick={() => {
              onRestore(older)
              keep(null)
            }}
          >
            Show what I wrote
          </Button>
        ) : (
          <CopyButton text={older.body} label="Copy my text" />
        )}
        <Button kind="quiet" onClick={() => keep(null)}>
          Discard it
        </Button>
      </div>
    </Notice>
  )
}

/** Others may have saved more than once. `shown` is in the form already. */
function newestOf(userId: string, { id }: TemplateRecord, shown: number | null): number | null {
  const kept = [...keptDrafts(userId, `template.${id}.`).keys()].map(Number).filter((one) => one !== shown)
  return kept.length === 0 ? null : Math.max(...kept)
}
