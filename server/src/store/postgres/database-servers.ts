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
 * The URL without its `options`, such as a `search_path`, and these apart: beside them in the URL, pg would leave out all of
 * ours, time limits and durability included.
 */
export function splitOptions(url: string): { address: string; options: string } {
  const [found = '', before = '', options = ''] = /([?&])options=([^&]*)&?/.exec(url) ?? []
  return { address: url.replace(found, before).replace(/[?&]$/, ''), options: decoded(options.replaceAll('+', ' ')) }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
