/** Where this machine reaches what listens there: what listens on every address is asked on its own. */
export function localAddress({ host, port }: { host: string; port: number }): string {
  const own = { '0.0.0.0': '127.0.0.1', '::': '::1' }[host] ?? host
  return `http://${own.includes(':') ? `[${own}]` : own}:${port}`
}
