import { useQuery } from '@tanstack/react-query'
import { api, call } from '../api.ts'
import { useSettled } from '../components/form/use-settled.ts'
import { shortUrl } from '../components/short-url.ts'
import { conversationAddress } from '../conversation-address.ts'
import { keysQuery } from '../sample-world.ts'
import { useWebhooks } from '../webhooks-query.ts'
import { useDocsFound } from './palette-docs.ts'
import { foundItems, idToLookUp, type PaletteItem, type World } from './palette-items.ts'

const eachMax = 8

/** What only the gateway knows: deliveries by their id, and by their words templates, webhooks, API keys and customers. */
export function useFound(text: string, world: World) {
  const wanted = text.trim()
  const settled = useSettled(wanted)
  const isWord = settled.length >= 2
  const lookedUp = idToLookUp(text, world.actions)
  const deliveries = useQuery({
    queryKey: ['deliveries', 'found', lookedUp],
    queryFn: ({ signal }) =>
      call(api.GET('/console/api/deliveries', { params: { query: { id: lookedUp ?? '' } }, signal })),
    enabled: lookedUp !== null,
  })
  const named = useNamed(settled, isWord, world.actions)
  const docs = useDocsFound(settled, isWord, world)
  return {
    byId: lookedUp && deliveries.data ? foundItems(deliveries.data, world) : [],
    byWord: isWord && wanted === settled ? [...namedItems(named, wanted.toLowerCase(), world), ...docs] : [],
    lookedUp,
    isLooking: deliveries.isFetching,
  }
}

/** The gateway looks through templates and customers; of webhooks and keys there are few, and all are asked for. */
function useNamed(search: string, isWord: boolean, actions: World['actions']) {
  const query = { search, limit: eachMax }
  const templates = useQuery({
    queryKey: ['templates', 'palette', search],
    queryFn: ({ signal }) => call(api.GET('/console/api/templates', { params: { query }, signal })),
    enabled: isWord && actions.includes('templates:read'),
  })
  const customers = useQuery({
    queryKey: ['conversations', 'palette', search],
    queryFn: ({ signal }) => call(api.GET('/console/api/conversation-search', { params: { query }, signal })),
    enabled: isWord && actions.includes('messages:read') && actions.includes('pii:read'),
  })
  const keys = useQuery({ ...keysQuery, enabled: isWord && actions.includes('keys:read') })
  const webhooks = useWebhooks(isWord && actions.includes('webhooks:read'))
  return {
    templates: templates.data?.templates ?? [],
    customers: customers.data?.conversations ?? [],
    keys: keys.data?.keys ?? [],
    webhooks: webhooks.data?.webhooks ?? [],
  }
}

function namedItems(named: ReturnType<typeof useNamed>, word: string, { go }: World): PaletteItem[] {
  const has = (...texts: (string | null)[]) => texts.some((one) => one?.toLowerCase().includes(word) ?? false)
  return [
    ...named.templates.slice(0, eachMax).map(({ id, name, language }) => ({
      id: `template-${id}`,
      title: `${name} (${language})`,
      kind: 'Template',
      icon: 'template' as const,
      run: () => go(`/templates/${id}`),
    })),
    ...named.webhooks
      .filter(({ webhook }) => has(webhook.url, webhook.description))
      .slice(0, eachMax)
      .map(({ webhook }) => ({
        id: `webhook-${webhook.id}`,
        title: shortUrl(webhook.url),
        kind: 'Webhook',
        icon: 'webhook' as const,
        run: () => go(`/webhooks/${webhook.id}`),
      })),
    ...named.keys
      .filter(({ name, key }) => has(name, key))
      .slice(0, eachMax)
      .map(({ id, name }) => ({
        id: `key-${id}`,
        title: name,
        kind: 'API key',
        icon: 'key' as const,
        run: () => go('/api-keys'),
      })),
    ...named.customers.slice(0, eachMax).map(({ customer, name, found }) => ({
      id: `customer-${customer}`,
      title: name ?? customer,
      detail: [...(name ? [customer] : []), ...(found?.preview ? [found.preview] : [])],
      kind: 'Customer',
      icon: 'chat' as const,
      run: () => go(conversationAddress(customer)),
    })),
  ]
}
