import { Button } from '../../components/form/button.tsx'
import { Notice } from '../../components/state.tsx'
import { useKeptDraft } from '../../drafts.ts'
import { useSession } from '../../session.ts'
import type { Draft, TemplateRecord } from './template-draft.ts'

/** Another tab or person saved while this one was writing: what was written here is neither lost nor put over theirs. */
export function OlderDraft({ record, onRestore }: { record: TemplateRecord; onRestore: (draft: Draft) => void }) {
  const { user } = useSession()
  const [older, keep] = useKeptDraft<Draft | null>(user.id, `template.${record.id}.${record.version - 1}`, null)
  if (older === null) return null
  return (
    <Notice tone="warn" icon="alert">
      <p>Someone else changed this template while you were writing. The form shows their version.</p>
      <div className="row">
        <Button
          onClick={() => {
            onRestore(older)
            keep(null)
          }}
        >
          Show what I wrote
        </Button>
        <Button kind="quiet" onClick={() => keep(null)}>
          Discard it
        </Button>
      </div>
    </Notice>
  )
}
