import type { Schemas } from '../../api.ts'
import { CodeBlock } from '../../components/code-block.tsx'
import { Button } from '../../components/form/button.tsx'
import { copyText } from '../../components/form/copy.tsx'
import { OnceDialog, SecretValue } from '../../components/overlay/once-dialog.tsx'
import { toast } from '../../components/overlay/toast.tsx'
import { Notice } from '../../components/state.tsx'
import { download } from '../../components/table/download.ts'
import { noteSavedKey } from '../../preferences.ts'
import { envFile, getSamples } from '../../samples.ts'
import { useSession } from '../../session.ts'

type Created = Schemas['ConsoleCreatedApiKey']

export function SecretDialog({ created, onClose }: { created: Created; onClose: () => void }) {
  const { base_url: baseUrl } = useSession()
  const { key } = created
  return (
    <OnceDialog what="secret" onClose={onClose} onKept={() => noteSavedKey(key.key)}>
      {(onSaved) => (
        <>
          <Notice tone="warn" icon="key">
            The secret is shown only once. Postern stores only a hash of it and can&apos;t show it again.
          </Notice>
          <SecretValues created={created} onSaved={onSaved} />
          <CodeBlock title="Try the key" samples={getSamples({ baseUrl, apiKey: key.key }, '/v1/auth/me')} />
        </>
      )}
    </OnceDialog>
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
  const env = envFile({ apiKey: key.key, apiSecret, baseUrl })
  async function copyBoth(): Promise<void> {
    if (!(await copyText(env))) return
    toast('Copied both as .env')
    onSaved()
  }
  return (
    <>
      <SecretValue label="API key" value={key.key} testId="api-key" />
      <SecretValue
        label="API secret"
        value={apiSecret}
        testId="api-secret"
        hiddenAs={`pts_${'•'.repeat(24)}`}
        onCopied={onSaved}
      />
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
