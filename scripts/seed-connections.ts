import { operator } from '../server/src/audit/audit.ts'
import { setCallback } from '../server/src/connections/callback-address.ts'
import { addConnection, requireConnection } from '../server/src/connections/change-connection.ts'
import { openConnection } from '../server/src/connections/connection.ts'
import type { Tool } from '../server/src/contract/connections.ts'
import type { Runtime } from '../server/src/runtime.ts'
import { type GraphTool, startGraphTool } from '../test/support/receiver/graph-tool.ts'
import { waitFor } from '../test/support/wait-for.ts'

type Place = { accountId: string; url: string; number: string; to: string }

/** A tool that works, one with a long name whose address fails its handshake, and one that has not called yet. */
export async function seedConnections(rt: Runtime, { accountId, url, number, to }: Place) {
  const add = async (tool: Tool, name: string) => {
    const made = await addConnection(rt, { accountId, name, tool, actor: operator, createdBy: '' })
    return { ...made, stored: await requireConnection(rt, accountId, made.row.id) }
  }
  const works = await add('chatwoot', 'Help desk')
  const { appSecret } = openConnection(rt, works.row)
  const receiver: GraphTool = await startGraphTool({ verifyToken: 'from-chatwoot', appSecret: () => appSecret })
  await setCallback(rt, works.stored, { url: receiver.url, verifyToken: 'from-chatwoot' }, { actor: operator })
  const headers = { authorization: `Bearer ${works.token}`, 'content-type': 'application/json' }
  const text = { messaging_product: 'whatsapp', to, type: 'text', text: { body: 'Your parcel is on its way.' } }
  for (const body of [text, { ...text, to: 'nobody' }]) {
    await fetch(`${url}/graph/v21.0/${number}/messages`, { method: 'POST', headers, body: JSON.stringify(body) })
  }
  await waitFor(() => receiver.items().length > 0, 20_000)
  const long = await add('n8n', 'Reminders of the evening shift at the warehouse in Vila Nova de Gaia, second floor')
  const address = `${receiver.url}/production/of-the-evening-shift/vila-nova-de-gaia/${'0123456789abcdef'.repeat(3)}`
  await setCallback(rt, long.stored, { url: address, verifyToken: 'another' }, { actor: operator })
  await add('generic', 'مركز خدمة العملاء للطلبات والشحن')
  return { connectionId: works.row.id, longConnectionId: long.row.id, closeTool: () => receiver.close() }
}
