import { useQuery, useQueryClient } from '@tanstack/react-query'
import { api, call, type Schemas } from '../../api.ts'
import { useSubmit } from '../../components/form/use-submit.ts'
import { FormDialog } from '../../components/overlay/form-dialog.tsx'
import { toast } from '../../components/overlay/toast.tsx'
import { FailureNotice, Notice } from '../../components/state.tsx'
import { useKeptDraft } from '../../drafts.ts'
import { keysQuery } from '../../sample-world.ts'
import { useSession } from '../../session.ts'
import { type ApiKey, presetOf, presets, readAddresses, type Scope } from './access.ts'
import { type KeyDraft, KeyFields } from './key-fields.tsx'

type KeyFormProps = {
  /** Given: change its access. Absent: create a key. */
  apiKey?: ApiKey
  onClose: () => void
  onCreated?: (created: Schemas['ConsoleCreatedApiKey']) => void
}

export function KeyForm({ apiKey, onClose, onCreated }: KeyFormProps) {
  const client = useQueryClient()
  const { user } = useSession()
  const start = draftOf(apiKey)
  // A draft belongs to the access it began with.
  const [draft, keep] = useKeptDraft(user.id, apiKey ? `key.${apiKey.id}.${JSON.stringify(start)}` : 'key.new', start)
  const wasChanged = useChangedElsewhere(apiKey, start)
  function discard(): void {
    keep(null)
    onClose()
  }
  const form = useSubmit(async () => {
    const access = accessOf(draft)
    if (apiKey) {
      const path = { key_id: apiKey.id }
      await call(api.PUT('/console/api/keys/{key_id}', { params: { path }, body: access }))
      await client.invalidateQueries({ queryKey: ['keys'] })
      discard()
      toast(`Changed ${draft.name}`)
    } else {
      const body = { ...access, expires_at: inDays(draft.days) }
      const created = await call(api.POST('/console/api/keys', { body }))
      keep(null)
      onCreated?.(created)
    }
  })
  return (
    <FormDialog
      title={apiKey ? `Edit access of ${apiKey.name}` : 'Create New API Key'}
      act={apiKey ? 'Save' : 'Create'}
      {...{ form, onClose }}
      onCancel={discard}
    >
      <div className="form">
        <KeyFields {...{ draft, form }} isNew={!apiKey} onChange={(part) => keep({ ...draft, ...part })} />
        {wasChanged && !form.busy && (
          <Notice tone="warn" icon="alert">
            This key was changed elsewhere while you were editing. Saving overwrites that change; Cancel keeps it.
          </Notice>
        )}
        <FailureNotice failure={form.general} />
      </div>
    </FormDialog>
  )
}

/** The list behind the dialog follows the gateway; the form keeps what it began with. */
function useChangedElsewhere(apiKey: ApiKey | undefined, start: KeyDraft): boolean {
  const { data } = useQuery(keysQuery)
  const now = data?.keys.find(({ id }) => id === apiKey?.id)
  return now !== undefined && JSON.stringify(draftOf(now)) !== JSON.stringify(start)
}

function draftOf(apiKey: ApiKey | undefined): KeyDraft {
  if (!apiKey) return { name: '', preset: 'full', custom: [], days: '', addresses: '' }
  const { name, scopes, allowed_ips: ips } = apiKey
  return { name, preset: presetOf(scopes), custom: scopes as Scope[], days: '', addresses: ips?.join('\n') ?? '' }
}

function accessOf({ name, preset, custom, addresses }: KeyDraft) {
  const chosen = preset === 'custom' ? custom : (presets.find(({ value }) => value === preset)?.scopes ?? [])
  return { name, scopes: [...chosen], allowed_ips: readAddresses(addresses) }
}

function inDays(days: string): string | null {
  return days === '' ? null : new Date(Date.now() + Number(days) * 86_400_000).toISOString()
}
