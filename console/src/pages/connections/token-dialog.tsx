import { useState } from 'react'
import type { Schemas } from '../../api.ts'
import { Button } from '../../components/form/button.tsx'
import { CopyButton } from '../../components/form/copy.tsx'
import { Check } from '../../components/form/field.tsx'
import { Dialog } from '../../components/overlay/dialog.tsx'
import { LeaveQuestion } from '../../components/overlay/leave-question.tsx'
import { Notice } from '../../components/state.tsx'

/** The only moment the token is seen. It lives in this component and is gone with it. */
export function TokenDialog({ created, onClose }: { created: Schemas['ConsoleConnectionToken']; onClose: () => void }) {
  const [isSaved, setSaved] = useState(false)
  const [asks, setAsks] = useState(false)
  const { connection, token } = created
  const leave = () => (isSaved ? onClose() : setAsks(true))
  return (
    <Dialog
      title="Save the token now"
      onClose={leave}
      foot={
        asks && !isSaved ? (
          <LeaveQuestion
            question="Close without saving the token?"
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
      <Notice tone="warn" icon="key">
        The token is shown only once. It is the access token or API key of <bdi>{connection.name}</bdi>; all other
        values are on the next page.
      </Notice>
      <SecretValue label="Access token" value={token} testId="connection-token" onCopied={() => setSaved(true)} />
    </Dialog>
  )
}

type SecretProps = { label: string; value: string; testId?: string; onCopied?: () => void }

export function SecretValue({ label, value, testId, onCopied }: SecretProps) {
  return (
    <div className="field">
      <span className="field-label">{label}</span>
      <div className="secret-row">
        <code className="secret-value" data-testid={testId}>
          {value}
        </code>
        <CopyButton text={value} label={`Copy ${label.toLowerCase()}`} {...(onCopied ? { onCopied } : {})} />
      </div>
    </div>
  )
}
