import type { Schemas } from '../../api.ts'
import { DeliveriesTab } from '../../components/deliveries/deliveries-tab.tsx'
import { CopyText } from '../../components/form/copy.tsx'
import { Page } from '../../components/page.tsx'
import { Notice } from '../../components/state.tsx'
import { ListenCommand } from './listen-command.tsx'
import { ListenerState } from './listener-state.tsx'

/** A `postern listen`: no settings and no schedule, but the same log as a webhook has. */
export function ListenerView({ listener }: { listener: Schemas['ConsoleListener'] }) {
  return (
    <Page
      title="postern listen"
      trail={[{ title: 'Webhooks', to: '/webhooks' }]}
      lead={
        <span className="row">
          <ListenerState listener={listener} />
          {listener.key_name && <span dir="auto">API key {listener.key_name}</span>}
          <CopyText text={listener.id} what="listener id" />
        </span>
      }
    >
      {!listener.connected && (
        <Notice icon="pause">
          <p>No client is listening at the moment. The log stays; start the command again to receive events.</p>
          <ListenCommand />
        </Notice>
      )}
      <DeliveriesTab webhookId={listener.id} />
    </Page>
  )
}
