import { type ReactNode, useState } from 'react'
import { Button } from '../form/button.tsx'
import { CopyButton } from '../form/copy.tsx'
import { Check } from '../form/field.tsx'
import { Dialog } from './dialog.tsx'
import { LeaveQuestion } from './leave-question.tsx'

type OnceProps = {
  what: 'secret' | 'token'
  onClose: () => void
  /** Closed when it was saved. */
  onKept?: () => void
  /** `onSaved` is for what copies or downloads it: closing then loses nothing. */
  children: (onSaved: () => void) => ReactNode
}

/** The only moment a secret is seen. It lives in what this shows, and is gone with it. */
export function OnceDialog({ what, onClose, onKept, children }: OnceProps) {
  const [isSaved, setSaved] = useState(false)
  const [asks, setAsks] = useState(false)
  const leave = () => {
    if (!isSaved) return setAsks(true)
    onKept?.()
    onClose()
  }
  return (
    <Dialog
      title={`Save the ${what} now`}
      onClose={leave}
      foot={
        asks && !isSaved ? (
          <LeaveQuestion
            question={`Close without saving the ${what}?`}
            leave="Close without it"
            onStay={() => setAsks(false)}
            onLeave={onClose}
          />
        ) : (
          <>
            <span className="grow">
              <Check checked={isSaved} onChange={(event) => setSaved(event.target.checked)}>
                I have saved it
              </Check>
            </span>
            <Button kind="primary" onClick={leave}>
              Done
            </Button>
          </>
        )
      }
    >
      {children(() => setSaved(true))}
    </Dialog>
  )
}

type ValueProps = {
  label: string
  value: string
  testId?: string
  onCopied?: () => void
  /** In place of the value until Show is pressed. */
  hiddenAs?: string
}

export function SecretValue({ label, value, testId, onCopied, hiddenAs }: ValueProps) {
  const [isShown, setShown] = useState(false)
  const copied = onCopied ? { onCopied } : {}
  return (
    <div className="field">
      <span className="field-label">{label}</span>
      <div className="secret-row">
        <code className="secret-value" data-testid={testId}>
          {hiddenAs === undefined || isShown ? value : hiddenAs}
        </code>
        {hiddenAs !== undefined && (
          <Button kind="quiet" icon="eye" onClick={() => setShown(!isShown)}>
            {isShown ? 'Hide' : 'Show'}
          </Button>
        )}
        <CopyButton
          text={value}
          label={`Copy ${label.replace(/^(?!API).*/, (words) => words.toLowerCase())}`}
          {...copied}
        />
      </div>
    </div>
  )
}
