import { useQuery } from '@tanstack/react-query'
import { api, call } from '../api.ts'
import { useSettled } from '../components/form/use-settled.ts'
import { shortUrl } from '../components/short-url.ts'
import { conversationAddress } from '../conversation-address.ts'
import { keysQuery } from '../sample-world.ts'
import { useWebhooks } from '../webhooks-query.ts'
import { foundItems, idToLookUp, type PaletteItem, type World } from './palette-items.ts'

const eachMax = 8

/** What only the gateway knows: deliveries by their id, and by their words templates, webhooks, API keys and customers. */
export function useFound(text: string, world: World) {
  const { actions, go } = world
  const wanted = text.trim()
  const settled = useSettled(wanted)
  const isWord = settled.length >= 2
  const lookedUp = idToLookUp(text, actions)
  const deliveries = useQuery({
    queryKey: ['deliveries', 'found', lookedUp],
    queryFn: ({ signal }) =>
      call(api.GET('/console/api/deliveries', { params: { query: { id: lookedUp ?? '' } }, signal })),
    enabled: lookedUp !== null,
  })
  const templates = useQuery({
    queryKey: ['templates', 'palette', settled],
    queryFn: ({ signal }) => {
      const query = { search: settled, limit: eachMax }
      return call(api.GET('/console/api/templates', { params: { query }, signal }))
    },
    enabled: isWord && actions.includes('templates:read'),
  })
  const customers = useQuery({
    queryKey: ['conversations', 'palette', settled],
    queryFn: ({ signal }) => {
      const query = { search: settled, limit: eachMax }
      return call(api.GET('/console/api/conversations', { params: { query }, signal }))
    },
    enabled: isWord && actions.includes('messages:read') && actions.includes('pii:read'),
  })
  const keys = useQuery({ ...keysQuery, enabled: isWord && actions.includes('keys:read') })
  const webhooks = useWebhooks(isWord && actions.includes('webhooks:read'))
  const has = (...texts: (string | null)[]) =>
    texts.some((one) => one?.toLowerCase().includes(wanted.toLowerCase()) ?? false)

  const byWord: PaletteItem[] = [
    ...(templates.data?.templates ?? []).map(({ id, name, language }) => ({
      id: `template-${id}`,
      title: `${name} (${language})`,
      kind: 'Template',
      icon: 'template' as const,
      run: () => go(`/templates/${id}`),
    })),
    ...(webhooks.data?.webhooks ?? [])
      .filter(({ webhook }) => has(webhook.url, webhook.description))
      .map(({ webhook }) => ({
        id: `webhook-${webhook.id}`,
        title: shortUrl(webhook.url),
        kind: 'Webhook',
        icon: 'webhook' as const,
        run: () => go(`/webhooks/${webhook.id}`),
      })),
    ...(keys.data?.keys ?? [])
      .filter(({ name, key }) => has(name, key))
      .slice(0, eachMax)
      .map(({ id, name }) => ({
        id: `key-${id}`,
        title: name,
        kind: 'API key',
        icon: 'key' as const,
        run: () => go('/api-keys'),
      })),
    ...(customers.data?.conversations ?? []).map(({ customer, name }) => ({
      id: `customer-${customer}`,
      title: name ? `${name} ${customer}` : customer,
      kind: 'Customer',
      icon: 'chat' as const,
      run: () => go(conversationAddress(customer)),
    })),
  ]
  return {
    byId: lookedUp && deliveries.data ? foundItems(deliveries.data, world) : [],
    byWord: isWord && wanted === settled ? byWord : [],
    lookedUp,
    isLooking: deliveries.isFetching,
  }
}
