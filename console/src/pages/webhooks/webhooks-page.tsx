import { useParams } from 'wouter'
import { WebhookList } from './webhook-list.tsx'
import { WebhookView } from './webhook-view.tsx'

export default function WebhooksPage() {
  const { id } = useParams<{ id?: string }>()
  return id === undefined ? <WebhookList /> : <WebhookView key={id} id={id} />
}
