import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api, call } from '../../api.ts'
import { Button } from '../../components/form/button.tsx'
import { CopyText } from '../../components/form/copy.tsx'
import { Check, Field } from '../../components/form/field.tsx'
import { useSubmit } from '../../components/form/use-submit.ts'
import { useConfirmed } from '../../components/overlay/confirmation.tsx'
import { FormDialog } from '../../components/overlay/form-dialog.tsx'
import { toast } from '../../components/overlay/toast.tsx'
import { FailureNotice } from '../../components/state.tsx'
import { useMay } from '../../session.ts'
import type { Connection } from './connection-state.tsx'

type Props = { connection: Connection }

/** Where the tool is told what Meta says, and whether that is so now. */
export function CallbackSection({ connection }: Props) {
  const mayWrite = useMay('connections:write')
  const [dialog, setDialog] = useState<'set' | 'remove' | null>(null)
  const { callback } = connection
  return (
    <section className="card card-body stack">
      <h2>Callbacks</h2>
      {callback ? (
        <p className="row">
          <CopyText text={callback.url} what="callback address" />
        </p>
      ) : (
        <p>No address yet: the tool doesn&apos;t hear of messages and statuses.</p>
      )}
      {mayWrite && (
        <CallbackActs connection={connection} onSet={() => setDialog('set')} onRemove={() => setDialog('remove')} />
      )}
      {dialog === 'set' && <CallbackDialog connection={connection} onClose={() => setDialog(null)} />}
      {dialog === 'remove' && <RemoveDialog connection={connection} onClose={() => setDialog(null)} />}
    </section>
  )
}

function useAct(connection: Connection, act: 'verify' | 'waive' | 'pause' | 'resume', done: string) {
  const client = useQueryClient()
  const params = { path: { connection_id: connection.id } }
  return useSubmit(async () => {
    const asked =
      act === 'pause'
        ? api.POST('/console/api/connections/{connection_id}/callback/pause', { params })
        : act === 'resume'
          ? api.POST('/console/api/connections/{connection_id}/callback/resume', { params })
          : api.POST('/console/api/connections/{connection_id}/callback/verify', {
              params,
              body: { waive: act === 'waive' },
            })
    await call(asked)
    await client.invalidateQueries({ queryKey: ['connections'] })
    toast(done)
  })
}

type ActsProps = Props & { onSet: () => void; onRemove: () => void }

function CallbackActs({ connection, onSet, onRemove }: ActsProps) {
  const verify = useAct(connection, 'verify', 'The tool passed the handshake')
  const pause = useAct(connection, 'pause', 'Paused callbacks')
  const resume = useAct(connection, 'resume', 'Resumed callbacks')
  const { callback } = connection
  const isUnverified = callback?.state === 'unverified'
  const isOn = callback?.state === 'active' || callback?.state === 'failing'
  return (
    <>
      <div className="row">
        <Button kind={callback ? 'plain' : 'primary'} icon="link" onClick={onSet}>
          {callback ? 'Change address' : 'Set address'}
        </Button>
        {isUnverified && (
          <Button icon="shield" busy={verify.busy} onClick={() => void verify.submit()}>
            Ask again
          </Button>
        )}
        {callback && isOn && (
          <Button icon="pause" busy={pause.busy} onClick={() => void pause.submit()}>
            Pause
          </Button>
        )}
        {callback && !isOn && !isUnverified && (
          <Button icon="play" busy={resume.busy} onClick={() => void resume.submit()}>
            Resume
          </Button>
        )}
        {callback && (
          <Button kind="danger" icon="ban" onClick={onRemove}>
            Remove
          </Button>
        )}
      </div>
      <FailureNotice failure={verify.failure ?? pause.failure ?? resume.failure} />
    </>
  )
}

function CallbackDialog({ connection, onClose }: Props & { onClose: () => void }) {
  const client = useQueryClient()
  const confirmed = useConfirmed()
  const [url, setUrl] = useState(connection.callback?.url ?? '')
  const [token, setToken] = useState('')
  const [isWaived, setWaived] = useState(false)
  const form = useSubmit(async () => {
    const path = { connection_id: connection.id }
    const body = { url: url.trim(), ...(token.trim() ? { verify_token: token.trim() } : {}), waive: isWaived }
    const { callback } = await confirmed(() =>
      call(api.PUT('/console/api/connections/{connection_id}/callback', { params: { path }, body })),
    )
    await client.invalidateQueries({ queryKey: ['connections'] })
    onClose()
    if (callback?.state === 'unverified') toast('The tool did not pass the handshake', 'alert')
    else toast('Callbacks are being sent')
  })
  return (
    <FormDialog title="Callback address" act={isWaived ? 'Save' : 'Save and verify'} {...{ form, onClose }}>
      <div className="form">
        <Field
          label="Address"
          type="url"
          placeholder="https://tool.example.com/webhook"
          hint="The callback address of the tool."
          value={url}
          error={form.errorOf('url')}
          onChange={(event) => setUrl(event.target.value)}
        />
        <Field
          label="Verify token"
          optional
          hint="The token that the tool shows. Leave empty to keep the current one, or to generate one."
          autoComplete="off"
          maxLength={256}
          value={token}
          error={form.errorOf('verify_token')}
          onChange={(event) => setToken(event.target.value)}
        />
        <Check checked={isWaived} onChange={(event) => setWaived(event.target.checked)}>
          Skip the handshake: I know that this address is the tool&apos;s
        </Check>
        <FailureNotice failure={form.general} />
      </div>
    </FormDialog>
  )
}

function RemoveDialog({ connection, onClose }: Props & { onClose: () => void }) {
  const client = useQueryClient()
  const form = useSubmit(async () => {
    const path = { connection_id: connection.id }
    await call(api.DELETE('/console/api/connections/{connection_id}/callback', { params: { path } }))
    await client.invalidateQueries({ queryKey: ['connections'] })
    onClose()
    toast('Removed the address')
  })
  return (
    <FormDialog title="Remove the callback address?" act="Remove address" kind="danger" {...{ form, onClose }}>
      <p>
        Waiting callbacks are cancelled, and <bdi>{connection.name}</bdi> hears nothing more. It can still send.
      </p>
      <FailureNotice failure={form.failure} />
    </FormDialog>
  )
}
