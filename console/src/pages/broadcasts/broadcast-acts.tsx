import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { api, call } from '../../api.ts'
import { Button, ButtonLink } from '../../components/form/button.tsx'
import { useSubmit } from '../../components/form/use-submit.ts'
import { formatNumber } from '../../components/format-number.ts'
import { FormDialog } from '../../components/overlay/form-dialog.tsx'
import { toast } from '../../components/overlay/toast.tsx'
import { countOf } from '../../components/plural.ts'
import { FailureNotice } from '../../components/state.tsx'
import { useMay } from '../../session.ts'
import { type Broadcast, broadcastQuery, pathOf } from './broadcast-query.ts'

type Asked = 'cancel' | 'delete' | 'copy'

/** What can be done with it in its state. */
export function Acts({ record }: { record: Broadcast }) {
  const client = useQueryClient()
  const mayWrite = useMay('broadcasts:write')
  const maySend = useMay('messages:send')
  const [asked, setAsked] = useState<Asked | null>(null)
  const { id, status, reason, counts } = record
  const show = (next: Broadcast) => client.setQueryData(broadcastQuery(id).queryKey, next)
  const pause = useSubmit(async () => {
    show(await call(api.POST('/console/api/broadcasts/{broadcast_id}/pause', pathOf(id))))
    toast(status === 'scheduled' ? 'Taken back' : 'Paused')
  })
  const resume = useSubmit(async () => {
    show(await call(api.POST('/console/api/broadcasts/{broadcast_id}/resume', pathOf(id))))
    toast('Resumed')
  })
  if (!mayWrite) return null
  const isOpen = status === 'running' || status === 'paused' || status === 'scheduled'
  const isHeld = status === 'running' && reason !== null
  return (
    <div className="stack stack-tight">
      <div className="row row-end">
        {status === 'draft' && counts.accepted > 0 && (
          <ButtonLink icon="template" to={`/broadcasts/new?from=${id}`}>
            Another file
          </ButtonLink>
        )}
        {(status === 'draft' || status === 'completed' || status === 'canceled') && (
          <Button icon="close" onClick={() => setAsked('delete')}>
            Delete
          </Button>
        )}
        {!isOpen && counts.failed > 0 && (
          <Button icon="copy" onClick={() => setAsked('copy')}>
            Copy failed
          </Button>
        )}
        {isOpen && (
          <Button kind="danger" icon="ban" onClick={() => setAsked('cancel')}>
            Cancel broadcast
          </Button>
        )}
        {status === 'scheduled' && (
          <Button icon="template" busy={pause.busy} onClick={() => void pause.submit()}>
            Back to draft
          </Button>
        )}
        {status === 'running' && (
          <Button
            kind={isHeld ? 'plain' : 'primary'}
            icon="pause"
            busy={pause.busy}
            onClick={() => void pause.submit()}
          >
            Pause
          </Button>
        )}
        {(status === 'paused' || isHeld) && maySend && (
          <Button kind="primary" icon="play" busy={resume.busy} onClick={() => void resume.submit()}>
            Resume
          </Button>
        )}
      </div>
      <FailureNotice failure={pause.failure ?? resume.failure} />
      {asked === 'cancel' && <CancelDialog record={record} onDone={show} onClose={() => setAsked(null)} />}
      {asked === 'delete' && <DeleteDialog record={record} onClose={() => setAsked(null)} />}
      {asked === 'copy' && <CopyDialog record={record} onClose={() => setAsked(null)} />}
    </div>
  )
}

type DialogProps = { record: Broadcast; onClose: () => void }

function CancelDialog({ record, onDone, onClose }: DialogProps & { onDone: (next: Broadcast) => void }) {
  const form = useSubmit(async () => {
    onDone(await call(api.POST('/console/api/broadcasts/{broadcast_id}/cancel', pathOf(record.id))))
    onClose()
    toast('Canceled')
  })
  return (
    <FormDialog title="Cancel the broadcast?" act="Cancel broadcast" icon="ban" {...{ form, onClose }}>
      <p>
        {formatNumber(record.counts.waiting)} of {countOf(record.counts.accepted, 'recipient')} have not had their turn
        and get nothing. This can&apos;t be undone; pause it if you want to go on later.
      </p>
      <FailureNotice failure={form.failure} />
    </FormDialog>
  )
}

function DeleteDialog({ record, onClose }: DialogProps) {
  const client = useQueryClient()
  const [, navigate] = useLocation()
  const form = useSubmit(async () => {
    await call(api.DELETE('/console/api/broadcasts/{broadcast_id}', pathOf(record.id)))
    navigate('/broadcasts')
    toast('Deleted')
    await client.invalidateQueries({ queryKey: ['broadcasts', 'list'] })
  })
  return (
    <FormDialog title={`Delete ${record.name}?`} act="Delete" icon="close" {...{ form, onClose }}>
      <p>
        {record.status === 'draft'
          ? 'Its recipients are deleted with it.'
          : 'Its recipients and results are deleted. The messages that were sent stay.'}
      </p>
      <FailureNotice failure={form.failure} />
    </FormDialog>
  )
}

function CopyDialog({ record, onClose }: DialogProps) {
  const client = useQueryClient()
  const [, navigate] = useLocation()
  const form = useSubmit(async () => {
    const body = { results: ['failed' as const] }
    const copy = await call(api.POST('/console/api/broadcasts/{broadcast_id}/copy', { ...pathOf(record.id), body }))
    await client.invalidateQueries({ queryKey: ['broadcasts', 'list'] })
    navigate(`/broadcasts/${copy.id}`)
    toast('Copied')
  })
  return (
    <FormDialog title="Copy those who failed?" act="Copy" icon="copy" {...{ form, onClose }}>
      <p>
        A new draft with {countOf(record.counts.failed, 'recipient')}. Nothing is sent before you start it. Where Meta
        limits marketing to a person, sending again the same day makes it worse: these are left out.
      </p>
      <FailureNotice failure={form.failure} />
    </FormDialog>
  )
}
