import { useState } from 'react'
import type { Schemas } from '../../api.ts'
import { CodeBlock } from '../../components/code-block.tsx'
import { Button } from '../../components/form/button.tsx'
import { CopyButton, copyText } from '../../components/form/copy.tsx'
import { Check } from '../../components/form/field.tsx'
import { Dialog } from '../../components/overlay/dialog.tsx'
import { LeaveQuestion } from '../../components/overlay/leave-question.tsx'
import { toast } from '../../components/overlay/toast.tsx'
import { Notice } from '../../components/state.tsx'
import { download } from '../../components/table/download.ts'
import { noteSavedKey } from '../../preferences.ts'
import { envFile, tokenSamples } from '../../samples.ts'
import { useSession } from '../../session.ts'

type Created = Schemas['ConsoleCreatedApiKey']

/** The only moment the secret is seen. It lives in this component and is gone with it. */
export function SecretDialog({ created, onClose }: { created: Created; onClose: () => void }) {
  const { base_url: baseUrl } = useSession()
  const [isSaved, setSaved] = useState(false)
  const [asks, setAsks] = useState(false)
  const { key } = created
  const leave = () => {
    if (!isSaved) return setAsks(true)
    noteSavedKey(key.key)
    onClose()
  }
  return (
    <Dialog
      title="Save the secret now"
      onClose={leave}
      foot={
        asks && !isSaved ? (
          <LeaveQuestion
            question="Close without saving the secret?"
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
        The secret is shown only once. Postern stores only a hash of it and can&apos;t show it again.
      </Notice>
      <SecretValues created={created} onSaved={() => setSaved(true)} />
      <CodeBlock title="Get a token" samples={tokenSamples({ baseUrl, apiKey: key.key })} />
    </Dialog>
  )
}

type ValuesProps = {
  created: Created
  /** The secret was copied or downloaded, so closing the dialog does not lose it. */
  onSaved: () => void
}

/** Both to copy, one by one or as the file that programs read. */
function SecretValues({ created: { key, api_secret: apiSecret }, onSaved }: ValuesProps) {
  const { base_url: baseUrl } = useSession()
  const [isShown, setShown] = useState(false)
  const env = envFile({ apiKey: key.key, apiSecret, baseUrl })
  async function copyBoth(): Promise<void> {
    if (!(await copyText(env))) return
    toast('Copied both as .env')
    onSaved()
  }
  return (
    <>
      <div className="field">
        <span className="field-label">API key</span>
        <div className="secret-row">
          <code className="secret-value" data-testid="api-key">
            {key.key}
          </code>
          <CopyButton text={key.key} label="Copy API key" />
        </div>
      </div>
      <div className="field">
        <span className="field-label">API secret</span>
        <div className="secret-row">
          <code className="secret-value" data-testid="api-secret">
            {isShown ? apiSecret : `pts_${'•'.repeat(24)}`}
          </code>
          <Button kind="quiet" icon="eye" onClick={() => setShown(!isShown)}>
            {isShown ? 'Hide' : 'Show'}
          </Button>
          <CopyButton text={apiSecret} label="Copy API secret" onCopied={onSaved} />
        </div>
      </div>
      <div className="row">
        <Button icon="copy" onClick={() => void copyBoth()}>
          Copy both as .env
        </Button>
        <Button
          icon="download"
          onClick={() => {
            download(env, 'postern.env', 'text/plain')
            onSaved()
          }}
        >
          Download .env
        </Button>
      </div>
    </>
  )
}
