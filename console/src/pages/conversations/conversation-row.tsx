import { memo } from 'react'
import { Link } from 'wouter'
import { Chip } from '../../components/chip.tsx'
import { formatNumber } from '../../components/format-number.ts'
import { Icon } from '../../components/icon.tsx'
import { ShortTime } from '../../components/time.tsx'
import { ClosingChip } from '../../components/window-chip.tsx'
import { waitedSince } from '../../components/window-left.ts'
import { Avatar } from '../../inbox/avatar.tsx'
import type { ConversationLine, LastMessage } from './conversations-query.ts'

type RowProps = { line: ConversationLine; isChosen: boolean; to: string; now: number }

/** A customer with the last words, in two lines: who and when; what, who replies, and what is urgent. */
export const ConversationRow = memo(function ConversationRow({ line, isChosen, to, now }: RowProps) {
  const { customer, name, unread, window, assignee, waiting_since: waiting } = line
  const shown = line.found ?? line.last_message
  const waited = waiting === null ? null : waitedSince(waiting, now)
  return (
    <Link
      to={to}
      className="inbox-row"
      data-customer={customer}
      aria-current={isChosen ? 'true' : undefined}
      data-unread={unread > 0}
    >
      <Avatar name={name} of={customer} />
      <span className="inbox-row-lines">
        <span className="inbox-row-head">
          <strong dir="auto" className="person-name">
            {name ?? customer}
          </strong>
          <span className="inbox-row-time muted">
            <ShortTime at={shown?.created_at ?? line.active_at} now={now} />
          </span>
        </span>
        <span className="inbox-row-foot">
          {shown ? <LastWords last={shown} /> : <span className="person-last">No messages yet</span>}
          <ClosingChip window={window} now={now} />
          {waited && <span className="inbox-row-wait">waiting for {waited}</span>}
          {assignee && (
            <span title={`Assigned to ${assignee.name}`} className="inbox-row-owner">
              <span className="visually-hidden">Assigned to {assignee.name}</span>
              <Avatar name={assignee.name} of={assignee.user_id} small />
            </span>
          )}
          {line.state === 'closed' && (
            <Chip tone="neutral" icon="check">
              Closed
            </Chip>
          )}
          {unread > 0 && (
            <span className="count">
              {formatNumber(unread)} <span className="visually-hidden">unread</span>
            </span>
          )}
        </span>
      </span>
    </Link>
  )
})

function LastWords({ last }: { last: LastMessage }) {
  const { direction, preview, template, type, status, error_code: code } = last
  const failure = code === 'send_outcome_unknown' ? 'Not confirmed:' : 'Not delivered:'
  const whose = status === 'failed' ? failure : direction === 'outbound' ? 'You:' : null
  return (
    <span className="person-words">
      {whose && <span className="person-whose">{whose} </span>}
      {preview === null && type !== 'template' && <Icon name="clip" size={13} />}
      <span className="person-last" dir="auto">
        {preview ?? template ?? type}
      </span>
    </span>
  )
}
