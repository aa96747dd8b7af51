/**
 * A TLS receiver in a process of its own. Arguments: certificate file, key file, ports. The path decides what it does:
 * `/dead…` never answers, `/slow…` answers after ten seconds, anything else after the milliseconds of `?ms=`. SIGUSR2
 * makes it print what it saw since the last time: count, and how long after its event each request came.
 */
import { readFileSync } from 'node:fs'
import https from 'node:https'
import type { AddressInfo } from 'node:net'

const [certFile = '', keyFile = '', ports = '1'] = process.argv.slice(2)
const tls = { cert: readFileSync(certFile), key: readFileSync(keyFile) }
const waits: Record<string, number[]> = {}

const servers = Array.from({ length: Number(ports) }, () => {
  const server = https.createServer({ ...tls, keepAlive: true, keepAliveTimeout: 60_000 }, (request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const { pathname, searchParams } = new URL(request.url ?? '/', 'https://receiver.test')
      const [, kind = ''] = pathname.split('/')
      note(kind, Buffer.concat(chunks))
      if (kind === 'dead') return
      const afterMs = kind === 'slow' ? 10_000 : Number(searchParams.get('ms') ?? 0)
      if (afterMs === 0) response.end('ok')
      else setTimeout(() => response.end('ok'), afterMs)
    })
  })
  return server
})

function note(kind: string, body: Buffer): void {
  const at = /"timestamp":"([^"]+)"/.exec(body.subarray(0, 300).toString('latin1'))?.[1]
  const known = waits[kind] ?? []
  waits[kind] = known
  known.push(Date.now() - Date.parse(at ?? ''))
}

await Promise.all(servers.map((server) => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))))
say({ ports: servers.map((server) => (server.address() as AddressInfo).port) })
let reports = 0
process.on('SIGUSR2', () => {
  const seen = Object.entries(waits).map(([kind, list]) => [kind, describe(list.splice(0).sort((a, b) => a - b))])
  say({ report: ++reports, ...Object.fromEntries(seen) })
})

function describe(sorted: number[]) {
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
  return { count: sorted.length, p50Ms: at(0.5), p99Ms: at(0.99), maxMs: at(1) }
}

function say(value: unknown): void {
  process.stdout.write(`${JSON.stringify(value)}\n`)
}
