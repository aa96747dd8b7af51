import { type ChannelRecord, listChannels } from '@postern/server/channels.ts'
import type { Runtime } from '@postern/server/gateway.ts'
import { chooseAccounts } from '../choose-account.ts'
import { notFound } from '../exit-codes.ts'
import { table } from '../output/table.ts'

type ListedChannel = ChannelRecord & { account_name?: string }

export async function listedChannels(rt: Runtime, account: string | null) {
  const channels = []
  for (const { id, name } of await chooseAccounts(rt, account)) {
    for (const channel of await listChannels(rt, id)) channels.push({ ...channel, account_name: name })
  }
  return channels
}

/** Ids of channels are unique, so that nobody has to name the account too. */
export async function findChannel(rt: Runtime, account: string | null, wanted: string) {
  return (await listedChannels(rt, account)).find(({ id }) => id === wanted) ?? unknownChannel(wanted)
}

export function unknownChannel(id: string): never {
  throw notFound(`There is no connected channel '${id}'; see 'postern channels list'.`)
}

export function channelLines(channels: readonly ListedChannel[]): string {
  const named = channels.some(({ account_name }) => account_name !== undefined)
  const head = ['channel', 'kind', 'status', 'number', 'phone', 'name', 'quality', 'default', 'token expires']
  const rows = channels.flatMap(({ id, kind, status, numbers, token_expires_at, account_name = '' }) =>
    numbers.map((number) => [
      ...(named ? [account_name] : []),
      id,
      kind,
      status === 'connected' ? number.status.toLowerCase() : status,
      number.id,
      number.phone_number,
      number.display_name ?? '',
      number.quality ?? '',
      number.default ? 'yes' : '',
      token_expires_at ?? '',
    ]),
  )
  return table(named ? ['account', ...head] : head, rows)
}
