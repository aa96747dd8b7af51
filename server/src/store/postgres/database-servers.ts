/**
 * A PostgreSQL URL may name several servers, separated by commas, of which one at a time takes writes:
 * `postgres://user:password@a:5432,b:5432/postern?target_session_attrs=read-write`. One URL for each, in their order.
 */
export function databaseServers(url: string): string[] {
  const [, scheme = '', hosts = '', rest = ''] = /^([a-z]+:\/\/(?:[^@/]*@)?)([^/?]*)(.*)$/.exec(url) ?? []
  const path = rest.replace(/([?&])target_session_attrs=[^&]*&?/, '$1').replace(/[?&]$/, '')
  return hosts.split(',').map((host) => `${scheme}${host}${path}`)
}

/**
 * The URL with our settings behind those that it names itself in `options`, such as a `search_path`: the last of a name
 * holds. pg would leave out all of ours, time limits and durability included.
 */
export function withOptions(url: string, ours: string): string {
  const [address = '', query = ''] = url.split('?', 2)
  const parameters = new URLSearchParams(query)
  const theirs = parameters.get('options')
  if (theirs === null) return url
  parameters.set('options', `${theirs} ${ours}`)
  return `${address}?${parameters}`
}
