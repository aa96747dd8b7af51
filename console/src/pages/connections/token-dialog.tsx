import type { Schemas } from '../../api.ts'
import { OnceDialog, SecretValue } from '../../components/overlay/once-dialog.tsx'
import { Notice } from '../../components/state.tsx'

export function TokenDialog({ created, onClose }: { created: Schemas['ConsoleConnectionToken']; onClose: () => void }) {
  const { connection, token } = created
  return (
    <OnceDialog what="token" onClose={onClose}>
      {(onSaved) => (
        <>
          <Notice tone="warn" icon="key">
            The token is shown only once. It is the access token or API key of <bdi>{connection.name}</bdi>; all other
            values are on the next page.
          </Notice>
          <SecretValue label="Access token" value={token} testId="connection-token" onCopied={onSaved} />
        </>
      )}
    </OnceDialog>
  )
}
