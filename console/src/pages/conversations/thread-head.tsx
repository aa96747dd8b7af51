import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'wouter'
import { api, call } from '../../api.ts'
import { Chip } from '../../components/chip.tsx'
import { Button } from '../../components/form/button.tsx'
import { useSubmit } from '../../components/form/use-submit.ts'
import { Icon } from '../../components/icon.tsx'
import { OnDemand } from '../../components/load/load-boundary.tsx'
import { toast } from '../../components/overlay/toast.tsx'
import { FailureNotice } from '../../components/state.tsx'
import { WindowChip } from '../../components/window-chip.tsx'
import { customerAddress } from '../../conversation-address.ts'
import { useMay } from '../../session.ts'
import { AssigneeMenu } from './assignee-menu.tsx'
import type { Conversation } from './conversations-query.ts'
import { BlockDialog } from './dialogs/dialogs.ts'
import { useListAddress } from './list-address.ts'
import { OwnerChip } from './owner.tsx'

/** Who the customer is, who replies to them, and what can be done with the conversation. */
export function ThreadHead({ conversation }: { conversation: Conversation }) {
  const back = useListAddress()
  const mayBlock = useMay('blocked:write')
  const mayWrite = useMay('conversations:write')
  const [isBlocking, setBlocking] = useState(false)
  const { customer, name, unread, window, control, marketing, number, blocked_at: blockedAt } = conversation
  const markRead = useMarkRead(customer)
  const close = useClose(conversation)
  const isClosed = conversation.state === 'closed'
  return (
    <header className="thread-head">
      <Link to={back} className="button thread-back" data-kind="quiet">
        <Icon name="arrow" size={16} /> <span className="thread-word">All conversations</span>
      </Link>
      <div className="thread-who">
        <h2 dir="auto" tabIndex={-1}>
          {name ?? customer}
        </h2>
        <p className="row small">
          {name && <span className="mono">{customer}</span>}
          {blockedAt ? (
            <Chip tone="error" icon="ban">
              Blocked
            </Chip>
          ) : (
            <WindowChip window={window} />
          )}
          <OwnerChip control={control} />
          {marketing.state === 'opted_out' && (
            <Chip tone="warn" icon="ban">
              No marketing
            </Chip>
          )}
          {number && <span className="muted thread-number">to {number.phone_number}</span>}
        </p>
      </div>
      <div className="row thread-acts">
        {mayWrite && conversation.customer_id !== null && <AssigneeMenu conversation={conversation} />}
        {unread > 0 && (
          <Button icon="checks" busy={markRead.busy} onClick={() => void markRead.submit()}>
            <span className="thread-word">Mark as read</span>
          </Button>
        )}
        {mayWrite && conversation.customer_id !== null && (
          <Button
            icon={isClosed ? 'refresh' : 'check'}
            data-inbox-key="e"
            busy={close.busy}
            onClick={() => void close.submit()}
          >
            <span className="thread-word">{isClosed ? 'Reopen' : 'Close'}</span>
          </Button>
        )}
        <Link to={customerAddress(customer)} className="button thread-customer" data-kind="quiet">
          <Icon name="user" size={16} /> <span className="thread-word">Customer</span>
        </Link>
        {mayBlock && number && !blockedAt && (
          <Button kind="quiet" icon="ban" label="Block" onClick={() => setBlocking(true)} />
        )}
      </div>
      <FailureNotice failure={markRead.failure ?? close.failure} />
      {isBlocking && number && (
        <OnDemand>
          <BlockDialog
            act="block"
            isTooLate={window.state === 'closed'}
            onClose={() => setBlocking(false)}
            {...{ customer, name, number }}
          />
        </OnDemand>
      )}
    </header>
  )
}

function useMarkRead(customer: string) {
  const client = useQueryClient()
  return useSubmit(async () => {
    const { receipt } = await call(api.POST('/console/api/conversation/read', { body: { customer } }))
    await client.invalidateQueries({ queryKey: ['conversations'] })
    await client.invalidateQueries({ queryKey: ['inbox'] })
    toast(receipt === 'refused' ? 'Marked as read here. WhatsApp did not accept the read receipt.' : 'Marked as read')
  })
}

function useClose({ customer, state }: Conversation) {
  const client = useQueryClient()
  return useSubmit(async () => {
    const params = { path: { customer_id: customer } }
    if (state === 'closed') {
      await call(api.POST('/console/api/conversations/{customer_id}/reopen', { params }))
      toast('Reopened')
    } else {
      await call(api.POST('/console/api/conversations/{customer_id}/close', { params }))
      toast('Closed until the customer writes again')
    }
    await client.invalidateQueries({ queryKey: ['conversations'] })
    await client.invalidateQueries({ queryKey: ['inbox'] })
  })
}
