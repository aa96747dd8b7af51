/**
 * A PostgreSQL URL may name several servers, separated by commas, of which one at a time takes writes:
 * `postgres://user:password@a:5432,b:5432/postern?target_session_attrs=read-write`. One URL for each, in their order.
 */
export function databaseServers(url: string): string[] {
  const [, scheme = '', hosts = '', rest = ''] = /^([a-z]+:\/\/(?:[^@/]*@)?)([^/?]*)(.*)$/.exec(url) ?? []
  const path = rest.replace(/([?&])target_session_attrs=[^&]*&?/, '$1').replace(/[?&]$/, '')
  return hosts.split(',').map((host) => `${scheme}${host}${path}`)
}
