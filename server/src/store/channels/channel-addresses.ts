import { query } from '../engine/operation.ts'

/** Where the platforms of all connected channels are reached. */
export const channelAddresses = query({
  name: 'channels.addresses',
  params: {},
  returns: { base_url: 'text' },
  lane: 'list',
  sql: `select distinct base_url from channels where status <> 'disconnected' order by base_url`,
})
