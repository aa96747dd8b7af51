import { useSession } from '../../session.ts'
import { Button } from '../form/button.tsx'
import { copyText } from '../form/copy.tsx'
import { toast } from '../overlay/toast.tsx'
import { Notice } from '../state.tsx'
import { download } from '../table/download.ts'

/** Shown once: the gateway keeps only what it needs to recognise them. */
export function RecoveryCodes({ codes, onDone }: { codes: readonly string[]; onDone: () => void }) {
  const { user } = useSession()
  const text = `${codes.join('\n')}\n`
  const file = `Recovery codes of ${user.email ?? user.name} for Postern (${window.location.host}).\nEach works once.\n\n${text}`
  return (
    <div className="stack">
      <Notice tone="warn" icon="key">
        Store these codes in your password manager. Each code signs you in once if you don&apos;t have your phone. They
        are shown only once.
      </Notice>
      <ul className="recovery-codes" aria-label="Recovery codes">
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <div className="row row-apart">
        <div className="row">
          <Button
            icon="copy"
            onClick={() => void copyText(text).then((isDone) => isDone && toast('Copied the recovery codes'))}
          >
            Copy
          </Button>
          <Button icon="download" onClick={() => download(file, 'postern-recovery-codes.txt', 'text/plain')}>
            Download
          </Button>
        </div>
        <Button kind="primary" onClick={onDone}>
          I have saved them
        </Button>
      </div>
    </div>
  )
}
