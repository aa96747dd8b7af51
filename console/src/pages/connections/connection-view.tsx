import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useLocation } from 'wouter'
import type { Schemas } from '../../api.ts'
import { DeliveriesTab } from '../../components/deliveries/deliveries-tab.tsx'
import { Button } from '../../components/form/button.tsx'
import { CopyText } from '../../components/form/copy.tsx'
import { Icon } from '../../components/icon.tsx'
import { Menu } from '../../components/overlay/menu.tsx'
import { Tabs } from '../../components/overlay/tabs.tsx'
import { Page } from '../../components/page.tsx'
import { QueryView } from '../../components/query-view.tsx'
import { EmptyState } from '../../components/state.tsx'
import { useNarrow } from '../../components/use-narrow.ts'
import { useMay } from '../../session.ts'
import { CallsTab } from './calls-tab.tsx'
import { DeleteDialog, RotateDialog, SwitchDialog } from './connection-acts.tsx'
import { type Connection, HealthNotices, toolNames } from './connection-state.tsx'
import { useConnection } from './connections-query.ts'
import { OptionsTab } from './options-tab.tsx'
import { SetupTab } from './setup-tab.tsx'
import { TokenDialog } from './token-dialog.tsx'

const tabs = [
  { id: 'setup', title: 'Set up' },
  { id: 'calls', title: 'Calls' },
  { id: 'deliveries', title: 'Deliveries' },
  { id: 'options', title: 'Options' },
]

type Act = 'rotate' | 'switch' | 'delete'

export function ConnectionView({ id }: { id: string }) {
  const client = useQueryClient()
  const connection = useConnection(id)
  // Here and not in a tab: news about the connection must never take away what is seen only once.
  const [act, setAct] = useState<Act | null>(null)
  const [created, setCreated] = useState<Schemas['ConsoleConnectionToken'] | null>(null)
  const [secrets, setSecrets] = useState<Schemas['ConsoleConnectionSecrets'] | null>(null)
  const [, go] = useLocation()
  const { data } = connection
  const close = () => setAct(null)
  return (
    <Page
      title={data?.name ?? 'Connection'}
      trail={[{ title: 'Connections', to: '/connections' }]}
      lead={
        data && (
          <span className="row">
            {toolNames[data.tool]} <CopyText text={data.id} what="connection id" />
          </span>
        )
      }
      action={data && <Acts connection={data} onAct={setAct} />}
    >
      <QueryView query={connection}>
        {(loaded) => (
          <>
            <HealthNotices connection={loaded} />
            <ConnectionTabs connection={loaded} {...{ secrets, onSecrets: setSecrets }} />
          </>
        )}
      </QueryView>
      {data && act === 'rotate' && (
        <RotateDialog
          connection={data}
          onClose={close}
          onRotated={(rotated) => {
            close()
            setCreated(rotated)
          }}
        />
      )}
      {data && act === 'switch' && (
        <SwitchDialog
          connection={data}
          onClose={close}
          onPrepared={(shown) => {
            close()
            setSecrets(shown)
            go(`/connections/${id}`)
          }}
        />
      )}
      {data && act === 'delete' && <DeleteDialog connection={data} onClose={close} />}
      {created && (
        <TokenDialog
          created={created}
          onClose={() => {
            setCreated(null)
            void client.invalidateQueries({ queryKey: ['connections'] })
          }}
        />
      )}
    </Page>
  )
}

function Acts({ connection, onAct }: { connection: Connection; onAct: (act: Act) => void }) {
  const mayWrite = useMay('connections:write')
  if (!mayWrite) return null
  const items = [
    {
      label: connection.next_secret_prepared ? 'Switch the app secret' : 'Prepare next app secret',
      icon: 'shield',
      onSelect: () => onAct('switch'),
    },
    { label: 'Delete connection', icon: 'ban', danger: true, onSelect: () => onAct('delete') },
  ] as const
  return (
    <span className="row">
      <Button icon="refresh" onClick={() => onAct('rotate')}>
        Rotate token
      </Button>
      <Menu label="More actions" trigger={<Icon name="dots" size={16} />} items={items} />
    </span>
  )
}

type TabsProps = {
  connection: Connection
  secrets: Schemas['ConsoleConnectionSecrets'] | null
  onSecrets: (secrets: Schemas['ConsoleConnectionSecrets']) => void
}

function ConnectionTabs({ connection, secrets, onSecrets }: TabsProps) {
  const { search, narrow } = useNarrow()
  const tab = search.get('tab') ?? 'setup'
  const { callback } = connection
  return (
    <Tabs label="About this connection" tabs={tabs} selected={tab} onSelect={(next) => narrow({ tab: next })}>
      <div className="tab-panel">
        {tab === 'calls' ? (
          <CallsTab keyId={connection.key_id} />
        ) : tab === 'options' ? (
          <OptionsTab key={JSON.stringify(connection.options)} connection={connection} />
        ) : tab === 'deliveries' && callback ? (
          <DeliveriesTab webhookId={callback.webhook_id} of="tool" canReplay />
        ) : tab === 'deliveries' ? (
          <EmptyState icon="webhook" title="No callbacks yet">
            <p>Set the tool’s callback address first. Its callbacks appear here.</p>
          </EmptyState>
        ) : (
          <SetupTab connection={connection} {...{ secrets, onSecrets }} />
        )}
      </div>
    </Tabs>
  )
}
