import { useQueryClient } from '@tanstack/react-query'
import { useLocation } from 'wouter'
import { api, call, type Schemas } from '../../api.ts'
import { useSubmit } from '../../components/form/use-submit.ts'
import { useConfirmed } from '../../components/overlay/confirmation.tsx'
import { FormDialog } from '../../components/overlay/form-dialog.tsx'
import { toast } from '../../components/overlay/toast.tsx'
import { FailureNotice } from '../../components/state.tsx'
import { RelativeTime } from '../../components/time.tsx'
import type { Connection } from './connection-state.tsx'

type ActProps = { connection: Connection; onClose: () => void }

export function RotateDialog({
  connection,
  onClose,
  onRotated,
}: ActProps & { onRotated: (created: Schemas['ConsoleConnectionToken']) => void }) {
  const confirmed = useConfirmed()
  const path = { connection_id: connection.id }
  const form = useSubmit(async () => {
    onRotated(
      await confirmed(() => call(api.POST('/console/api/connections/{connection_id}/rotate', { params: { path } }))),
    )
  })
  return (
    <FormDialog title={`Rotate the token of ${connection.name}`} act="Rotate token" {...{ form, onClose }}>
      <p>
        You get a new token, shown once. The current one keeps working for 24 hours, so you can update the tool in the
        meantime.
      </p>
      <FailureNotice failure={form.failure} />
    </FormDialog>
  )
}

/** Two steps: a signature has room for one secret, so the next one is shown before it is used. */
export function SwitchDialog({
  connection,
  onClose,
  onPrepared,
}: ActProps & { onPrepared: (secrets: Schemas['ConsoleConnectionSecrets']) => void }) {
  const client = useQueryClient()
  const confirmed = useConfirmed()
  const params = { path: { connection_id: connection.id } }
  const isPrepared = connection.next_secret_prepared
  const form = useSubmit(async () => {
    if (isPrepared) {
      await call(api.POST('/console/api/connections/{connection_id}/switch-secret', { params }))
      toast('The new app secret signs from now on')
    }
    onPrepared(
      await confirmed(() =>
        isPrepared
          ? call(api.POST('/console/api/connections/{connection_id}/secrets', { params }))
          : call(api.POST('/console/api/connections/{connection_id}/prepare-secret', { params })),
      ),
    )
    await client.invalidateQueries({ queryKey: ['connections'] })
  })
  return (
    <FormDialog
      title={isPrepared ? 'Switch to the next app secret' : 'Prepare the next app secret'}
      act={isPrepared ? 'Switch now' : 'Prepare'}
      {...{ form, onClose }}
    >
      <p>
        {isPrepared
          ? 'From now on, callbacks are signed with the next app secret, and the current one is no longer used. Enter the next one in the tool at the same time.'
          : 'Shows the next app secret; nothing changes yet. Enter it in the tool, then switch. A callback has only one signature, so the two can’t overlap.'}
      </p>
      <FailureNotice failure={form.failure} />
    </FormDialog>
  )
}

export function DeleteDialog({ connection, onClose }: ActProps) {
  const client = useQueryClient()
  const [, go] = useLocation()
  const form = useSubmit(async () => {
    const path = { connection_id: connection.id }
    await call(api.DELETE('/console/api/connections/{connection_id}', { params: { path } }))
    await client.invalidateQueries({ queryKey: ['connections', 'list'] })
    toast(`Deleted ${connection.name}`)
    go('/connections')
  })
  const { last_used_at: usedAt } = connection
  return (
    <FormDialog title={`Delete ${connection.name}?`} act="Delete connection" kind="danger" {...{ form, onClose }}>
      <p>
        The tool loses access with its next request, and its waiting callbacks are cancelled. This can&apos;t be undone.
      </p>
      {usedAt && (
        <p>
          Last used <RelativeTime at={usedAt} />.
        </p>
      )}
      <FailureNotice failure={form.failure} />
    </FormDialog>
  )
}
