/** Clients with Meta's address built in reach another one: BASE. What stands in for a proxy inside their network. */
const https = require('node:https')
const http = require('node:http')

const base = new URL(process.env.BASE)
const meta = 'graph.facebook.com'
const byTls = https.request

https.request = (first, ...rest) => {
  const url = typeof first === 'string' || first instanceof URL ? new URL(first) : null
  const options = url ? { ...rest.find((one) => typeof one === 'object'), path: url.pathname + url.search } : first
  const host = url?.hostname ?? options.hostname ?? options.host
  if (host !== meta) return byTls(first, ...rest)
  const { agent: _agent, agents: _agents, port: _port, servername: _name, ...kept } = options
  const headers = { ...kept.headers, host: base.host }
  const path = base.pathname.replace(/\/$/, '') + kept.path
  const there = {
    ...kept,
    protocol: 'http:',
    hostname: base.hostname,
    host: base.hostname,
    port: base.port,
    path,
    headers,
  }
  return http.request(
    there,
    rest.find((one) => typeof one === 'function'),
  )
}
https.get = (...given) => {
  const request = https.request(...given)
  request.end()
  return request
}
