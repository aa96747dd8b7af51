import { createServer } from 'node:net'
import type { Config } from '@postern/server/config/config.ts'
import { explainFailure } from '@postern/server/lib/guarded-http/guarded-http-failure.ts'
import { localAddress } from '../local-address.ts'
import { type Finding, found, problem, warning } from './finding.ts'

const reachMs = 5_000

type Listen = { host: string; port: number }

/** Whether a server uses the data, and the address under which clients reach it, as far as it tells. */
type Served = { isServed: boolean; address: string | null }

/** Whether a gateway runs here, or could start: its ports are free, or it is the gateway itself that has them. */
export async function checkServer(config: Config, { isServed, address: told }: Served): Promise<Finding[]> {
  const { listen, adminListen, sandboxListen } = config
  const address = told && new URL(told).hostname === 'localhost' ? told : localAddress(listen)
  const response = await reach(`${address}/livez`)
  if (response?.headers.has('x-postern-version')) return [found('server', `answers at ${address}`)]
  if (isServed) {
    const settings = 'Give this command the settings of the server, such as POSTERN_LISTEN.'
    return [warning('server', `A gateway is using this data, but no gateway answers at ${address}. ${settings}`)]
  }
  const wanted: [string, Listen | 'off'][] = [
    ['--port', listen],
    ['--admin-port', adminListen],
    ['--sandbox-port', sandboxListen],
  ]
  const taken: Finding[] = []
  for (const [flag, at] of wanted) {
    if (at === 'off' || at.port === 0) continue
    const code = await bindFailure(at)
    if (code !== null) taken.push(problem('server', bindSentence(flag, at, code)))
  }
  return taken.length > 0 ? taken : [found('server', 'not running; its ports are free')]
}

function bindSentence(flag: string, { host, port }: Listen, code: string): string {
  if (code === 'EADDRINUSE') return `Port ${port} is taken by another program: stop it, or choose another with ${flag}.`
  if (code === 'EACCES') return `Listening on port ${port} is not permitted: choose one above 1023 with ${flag}.`
  return `${host}:${port} cannot be listened on (${code}).`
}

function bindFailure({ host, port }: Listen): Promise<string | null> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message))
    server.listen({ host, port }, () => server.close(() => resolve(null)))
  })
}

/** The address that clients and Meta use, tried from here; a network may not let a machine reach itself that way. */
export async function checkBaseUrl({ baseUrl, env }: Config): Promise<Finding[]> {
  const check = 'base url'
  if (baseUrl === null) {
    return env === 'production' ? [warning(check, 'POSTERN_BASE_URL is not set: links point to localhost.')] : []
  }
  const base = baseUrl.replace(/\/+$/, '')
  if (env === 'production' && !base.startsWith('https:')) {
    return [
      problem(check, `${base} is not https: Meta calls only https addresses, and passwords would be sent unencrypted.`),
    ]
  }
  const response = await attempt(`${base}/livez`)
  if (response instanceof Error) return [whyNot(check, base, response)]
  return response.headers.has('x-postern-version')
    ? [found(check, `${base} leads to a Postern gateway`)]
    : [problem(check, `${base} is answered by something else (status ${response.status}): check the reverse proxy.`)]
}

/** A certificate that is refused here is refused by clients and by Meta, wherever they call from. */
function whyNot(check: string, base: string, error: Error): Finding {
  const { code, message } = explainFailure(error.cause ?? error)
  if (code !== 'tls_error')
    return warning(check, `${base} does not answer from here: check DNS, the proxy and the firewall.`)
  return problem(
    check,
    `${base} answers, but not over TLS that clients accept. ${message} Check the certificate of the reverse proxy, with its whole chain; the authority of a private network is named to this command by NODE_EXTRA_CA_CERTS.`,
  )
}

export async function reach(url: string): Promise<Response | null> {
  const answer = await attempt(url)
  return answer instanceof Error ? null : answer
}

async function attempt(url: string): Promise<Response | Error> {
  return fetch(url, { signal: AbortSignal.timeout(reachMs), redirect: 'manual' }).catch((error: Error) => error)
}
