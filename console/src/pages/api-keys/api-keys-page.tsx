import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useSearchParams } from 'wouter'
import type { Schemas } from '../../api.ts'
import { CodeBlock } from '../../components/code-block.tsx'
import { Button } from '../../components/form/button.tsx'
import { Page, SameByCode } from '../../components/page.tsx'
import { QueryView } from '../../components/query-view.tsx'
import { EmptyState } from '../../components/state.tsx'
import { keysQuery, useSampleWorld } from '../../sample-world.ts'
import { tokenSamples } from '../../samples.ts'
import { useMay } from '../../session.ts'
import { KeyForm } from './key-form.tsx'
import { KeyTable } from './key-table.tsx'
import { SecretDialog } from './secret-dialog.tsx'

type Created = Schemas['ConsoleCreatedApiKey']

export default function ApiKeysPage() {
  const client = useQueryClient()
  const world = useSampleWorld()
  const mayWrite = useMay('keys:write')
  const [search, setSearch] = useSearchParams()
  const [created, setCreated] = useState<Created | null>(null)
  const keys = useQuery(keysQuery)
  const isCreating = search.has('create') && mayWrite

  const open = () => setSearch({ create: '' })
  const close = () => setSearch({}, { replace: true })
  function showSecret(made: Created): void {
    close()
    setCreated(made)
    void client.invalidateQueries({ queryKey: ['keys'] })
  }

  const action = mayWrite ? (
    <Button kind="primary" icon="plus" onClick={open}>
      Create New API Key
    </Button>
  ) : undefined
  return (
    <Page
      title="API Keys"
      lead="Your services call the API with a key and its secret. Create one key per service, with only the access it needs."
      action={action}
    >
      <QueryView query={keys} shape="table">
        {({ keys: rows }) =>
          rows.length === 0 ? (
            <EmptyState icon="key" title="No API keys yet" action={action}>
              <p>A key lets one of your services call the API. Its secret is shown once, when you create it.</p>
            </EmptyState>
          ) : (
            <KeyTable keys={rows} onRotated={showSecret} />
          )
        }
      </QueryView>
      <SameByCode>
        <CodeBlock
          title="Create a key on the gateway host, in the clone"
          samples={{ shell: 'npx --no-install postern keys create --name "Checkout service" --json' }}
        />
        <CodeBlock title="Get an access token" samples={tokenSamples(world)} />
      </SameByCode>
      {isCreating && <KeyForm onClose={close} onCreated={showSecret} />}
      {created && <SecretDialog created={created} onClose={() => setCreated(null)} />}
    </Page>
  )
}
