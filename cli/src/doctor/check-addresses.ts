import { createServer } from 'node:net'
import { explainFailure, installationHeader } from '@postern/server/doctor.ts'
import type { Config } from '@postern/server/settings.ts'
import { bindSentence, type Listener, listenersOf } from '../listeners.ts'
import { localAddress } from '../local-address.ts'
import { type Finding, found, problem, warning } from './finding.ts'

const reachMs = 5_000

/** Whether a server uses the data, its address as far as it tells, and the id of the data as far as they can be read. */
type Served = { isServed: boolean; address: string | null; installation: string | null }

/** Whether a gateway runs here, or could start: its ports are free, or it is the gateway itself that has them. */
export async function checkServer(config: Config, served: Served): Promise<Finding[]> {
  const { isServed, address: told, installation } = served
  const address = told && new URL(told).hostname === 'localhost' ? told : localAddress(config.listen)
  const response = await reach(`${address}/livez`)
  const isOther = response !== null && isAnother(response, installation)
  if (response?.headers.has('x-postern-version') && !isOther) return [found('server', `responds at ${address}`)]
  if (isServed) {
    const who = isOther ? 'another gateway responds' : 'no gateway responds'
    const settings = 'Run this command with the settings of the server, such as POSTERN_LISTEN.'
    return [warning('server', `A gateway is using this data, but ${who} at ${address}. ${settings}`)]
  }
  const taken: Finding[] = []
  for (const listener of listenersOf(config)) {
    const code = listener.port === 0 ? null : await bindFailure(listener)
    if (code !== null) taken.push(problem('server', bindSentence(listener, code)))
  }
  return taken.length > 0 ? taken : [found('server', 'not running; its ports are free')]
}

/** A gateway tells which data it serves; one of an older version does not, and is taken for ours. */
function isAnother({ headers }: Response, installation: string | null): boolean {
  const theirs = headers.get(installationHeader)
  return theirs !== null && installation !== null && theirs !== installation
}

function bindFailure({ host, port }: Listener): Promise<string | null> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message))
    server.listen({ host, port }, () => server.close(() => resolve(null)))
  })
}

/** The address that clients and Meta use, tried from here; a network may not let a machine reach itself that way. */
export async function checkBaseUrl({ baseUrl, env }: Config, { address, installation }: Served): Promise<Finding[]> {
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
  if (!response.headers.has('x-postern-version')) {
    const sentence = `Something else responds at ${base} (status ${response.status}): check the reverse proxy.`
    return [problem(check, sentence)]
  }
  if (isAnother(response, installation)) {
    const cure =
      address === null || address === base
        ? 'Set POSTERN_BASE_URL to the address of this gateway'
        : `Set it to ${address}`
    const sentence = `${base} points to another Postern gateway, not to the one with this data. ${cure}, or check the reverse proxy.`
    return [problem(check, sentence)]
  }
  const isOurs = response.headers.has(installationHeader) && installation !== null
  return [found(check, `${base} points to ${isOurs ? 'this gateway' : 'a Postern gateway'}`)]
}

/** A certificate that is refused here is refused by clients and by Meta, wherever they call from. */
function whyNot(check: string, base: string, error: Error): Finding {
  const { code, message } = explainFailure(error.cause ?? error)
  if (code !== 'tls_error')
    return warning(check, `${base} does not respond from here: check DNS, the proxy and the firewall.`)
  return problem(
    check,
    `${base} responds, but clients do not accept its TLS. ${message} Check the certificate of the reverse proxy, including its full chain; for a private certificate authority, set NODE_EXTRA_CA_CERTS for this command.`,
  )
}

export async function reach(url: string): Promise<Response | null> {
  const answer = await attempt(url)
  return answer instanceof Error ? null : answer
}

async function attempt(url: string): Promise<Response | Error> {
  return fetch(url, { signal: AbortSignal.timeout(reachMs), redirect: 'manual' }).catch((error: Error) => error)
}
