import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api, call, type Schemas } from '../../api.ts'
import { Field } from '../../components/form/field.tsx'
import { useSubmit } from '../../components/form/use-submit.ts'
import { useConfirmed } from '../../components/overlay/confirmation.tsx'
import { FormDialog } from '../../components/overlay/form-dialog.tsx'
import { toast } from '../../components/overlay/toast.tsx'
import { FailureNotice } from '../../components/state.tsx'

type Channel = Schemas['ConsoleChannel']

/** Says what stops, and has the number typed. */
export function DisconnectDialog({ channel, onClose }: { channel: Channel; onClose: () => void }) {
  const client = useQueryClient()
  const confirmed = useConfirmed()
  const [typed, setTyped] = useState('')
  const number = channel.numbers[0]?.phone_number ?? ''
  const form = useSubmit(async () => {
    const path = { channel_id: channel.id }
    const body = { confirm: typed }
    const step = await confirmed(() =>
      call(api.POST('/console/api/channels/{channel_id}/disconnect', { params: { path }, body })),
    )
    await client.invalidateQueries()
    onClose()
    toast(step.status === 'ok' ? 'Disconnected' : `Disconnected. ${step.fix ?? ''}`)
  })
  return (
    <FormDialog
      title={`Disconnect ${number}?`}
      act="Disconnect"
      kind="danger"
      disabled={typed.trim() !== number}
      {...{ form, onClose }}
    >
      <p>
        You can no longer send or receive messages with{' '}
        {channel.numbers.map(({ phone_number: phone }) => phone).join(', ')}, and the access token is deleted. Past
        messages stay.
      </p>
      <Field
        label={`Type ${number} to confirm`}
        value={typed}
        autoComplete="off"
        error={form.errorOf('confirm')}
        onChange={(event) => setTyped(event.target.value)}
      />
      <FailureNotice failure={form.general} />
    </FormDialog>
  )
}
