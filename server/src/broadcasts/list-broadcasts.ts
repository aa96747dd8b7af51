import { type PageRequest, readPage } from '../paging.ts'
import type { Runtime } from '../runtime.ts'
import { broadcastListing } from '../store/broadcasts/broadcasts.ts'
import { readList } from '../store/engine/list.ts'
import { describe, type Owner, requireBroadcast } from './broadcast.ts'

export async function getBroadcast(rt: Runtime, owner: Owner, id: string) {
  return describe(rt, await requireBroadcast(rt, owner, id))
}

export async function listBroadcasts(
  rt: Runtime,
  { accountId, phoneNumberIds }: Owner,
  { status, ...page }: PageRequest & { status: string | null },
) {
  const boundTo = ['broadcasts', accountId, { status: status ?? undefined, numbers: phoneNumberIds?.join(' ') }]
  const listing = broadcastListing(accountId, {
    statuses: status === null ? null : [status],
    numberIds: phoneNumberIds,
  })
  const { shown, pagination } = await readPage(rt, listing, { ...page, boundTo }, (stretch) =>
    readList(rt.store, accountId, listing, stretch),
  )
  return { broadcasts: await Promise.all(shown.map((row) => describe(rt, row))), pagination }
}
