import { Button } from '../../components/form/button.tsx'
import { Icon } from '../../components/icon.tsx'
import { readContent } from '../../components/message/bubble-content.ts'
import type { ThreadMessage } from './conversations-query.ts'
import type { Pending } from './use-answer.ts'

/** In the order in which they leave. */
export function PendingList({ pending }: { pending: readonly Pending[] }) {
  return (
    <div className="reply-pending" role="status">
      {pending.map(({ key, text, file }) => (
        <p key={key} className="muted small reply-sending" dir="auto">
          Sending: {text || file?.name}
        </p>
      ))}
    </div>
  )
}

/** What the answer replies to. */
export function QuotedAbove({ quoted, onRemove }: { quoted: ThreadMessage; onRemove: () => void }) {
  const { text } = readContent(quoted.type, quoted.content ?? {})
  return (
    <div className="reply-quote">
      <span className="bubble-quote">
        <span className="bubble-quote-who">{quoted.direction === 'outbound' ? 'You' : 'Customer'}</span>
        <span className="bubble-quote-text" dir="auto">
          {text ?? quoted.template ?? quoted.type}
        </span>
      </span>
      <Button kind="quiet" icon="close" label="Reply without a quote" onClick={onRemove} />
    </div>
  )
}

export function ChosenFile({ file, onRemove }: { file: File; onRemove: () => void }) {
  return (
    <p className="reply-file">
      <Icon name="clip" size={16} />
      <span className="reply-file-name">{file.name}</span>
      <Button kind="quiet" icon="close" label={`Remove ${file.name}`} onClick={onRemove} />
    </p>
  )
}
