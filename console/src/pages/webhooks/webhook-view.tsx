import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api, call, type Schemas } from '../../api.ts'
import { CodeBlock } from '../../components/code-block.tsx'
import { DeliveriesTab } from '../../components/deliveries/deliveries-tab.tsx'
import { Button } from '../../components/form/button.tsx'
import { CopyText } from '../../components/form/copy.tsx'
import { Tabs } from '../../components/overlay/tabs.tsx'
import { Page, SameByCode } from '../../components/page.tsx'
import { QueryView } from '../../components/query-view.tsx'
import { shortUrl } from '../../components/short-url.ts'
import { useNarrow } from '../../components/use-narrow.ts'
import { useSampleWorld } from '../../sample-world.ts'
import { getSamples } from '../../samples.ts'
import { useMay } from '../../session.ts'
import { DeleteDialog } from './delete-dialog.tsx'
import { RotateDialog } from './rotate-dialog.tsx'
import { SettingsTab } from './settings-tab.tsx'
import { TestDialog } from './test-dialog.tsx'
import { VerifyTab } from './verify-tab.tsx'
import { Health } from './webhook-health.tsx'
import { WebhookState } from './webhook-state.tsx'
import { Trouble } from './webhook-trouble.tsx'

const tabs = [
  { id: 'deliveries', title: 'Deliveries' },
  { id: 'settings', title: 'Settings' },
  { id: 'verify', title: 'Verify your code' },
]

export function WebhookView({ id }: { id: string }) {
  const world = useSampleWorld()
  // Here and not in a tab: news about the webhook must never take away a secret that is seen only once.
  const [dialog, setDialog] = useState<'test' | 'rotate' | 'delete' | null>(null)
  const mayWrite = useMay('webhooks:write')
  const webhook = useQuery({
    queryKey: ['webhooks', 'one', id],
    queryFn: ({ signal }) =>
      call(api.GET('/console/api/webhooks/{webhook_id}', { params: { path: { webhook_id: id } }, signal })),
  })
  const { data } = webhook
  const close = () => setDialog(null)
  return (
    <Page
      title={data ? shortUrl(data.webhook.url) : 'Webhook'}
      trail={[{ title: 'Webhooks', to: '/webhooks' }]}
      lead={
        data && (
          <span className="row">
            <WebhookState showsVerified webhook={data.webhook} failing={data.failing_since !== null} />
            <CopyText text={data.webhook.url} shown="Address" what="address" />
            <CopyText text={data.webhook.id} what="webhook id" />
            {data.webhook.description && <span dir="auto">{data.webhook.description}</span>}
          </span>
        )
      }
      action={
        data &&
        mayWrite && (
          <Button kind="primary" icon="play" onClick={() => setDialog('test')}>
            Send test
          </Button>
        )
      }
    >
      <QueryView query={webhook}>
        {(loaded) => (
          <>
            <Trouble detail={loaded} />
            <WebhookTabs detail={loaded} onAct={setDialog} />
          </>
        )}
      </QueryView>
      <SameByCode>
        <CodeBlock title="This webhook" samples={getSamples(world, `/v1/webhooks/${id}`)} />
        <CodeBlock title="Its deliveries" samples={getSamples(world, `/v1/webhooks/${id}/deliveries?limit=25`)} />
      </SameByCode>
      {data && dialog === 'test' && <TestDialog webhook={data.webhook} onClose={close} />}
      {data && dialog === 'rotate' && <RotateDialog detail={data} onClose={close} />}
      {data && dialog === 'delete' && <DeleteDialog detail={data} onClose={close} />}
    </Page>
  )
}

type TabsProps = { detail: Schemas['ConsoleWebhookDetail']; onAct: (act: 'rotate' | 'delete') => void }

function WebhookTabs({ detail, onAct }: TabsProps) {
  const { search, narrow } = useNarrow()
  const tab = search.get('tab') ?? 'deliveries'
  return (
    <Tabs label="About this webhook" tabs={tabs} selected={tab} onSelect={(next) => narrow({ tab: next })}>
      <div className="tab-panel">
        {tab === 'settings' ? (
          <SettingsTab detail={detail} onAct={onAct} />
        ) : tab === 'verify' ? (
          <VerifyTab detail={detail} />
        ) : (
          <div className="stack">
            <Health detail={detail} />
            <DeliveriesTab webhookId={detail.webhook.id} canReplay />
          </div>
        )}
      </div>
    </Tabs>
  )
}
