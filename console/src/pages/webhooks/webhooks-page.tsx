import { useParams } from 'wouter'
import { Skeleton } from '../../components/state.tsx'
import { useWebhooks } from '../../webhooks-query.ts'
import { ListenerView } from './listener-view.tsx'
import { WebhookList } from './webhook-list.tsx'
import { WebhookView } from './webhook-view.tsx'

export default function WebhooksPage() {
  const { id } = useParams<{ id?: string }>()
  const list = useWebhooks()
  if (id === undefined) return <WebhookList />
  if (list.isPending) return <Skeleton />
  const listener = list.data?.listeners.find((one) => one.id === id)
  return listener ? <ListenerView key={id} listener={listener} /> : <WebhookView key={id} id={id} />
}
