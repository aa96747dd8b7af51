import { errors, Postern } from '@postern/sdk'
import { type Host, type Invocation, textOption } from '../command.ts'
import { findLocalGateway } from '../control/local-gateway.ts'
import { readEnvironment } from '../env.ts'
import { CommandFailure, exitCodes, wrongUsage } from '../exit-codes.ts'
import { settingsForData } from '../find-data.ts'
import { textFlag } from '../read-flags.ts'
import { findLogin, sameAddress } from './logins.ts'

const baseUrlDefault = 'http://localhost:8080'

/** Flags of commands that talk to a gateway by its API, as any client does. */
export const gatewayOptions = {
  'base-url': textOption(`Address of the gateway (POSTERN_BASE_URL). Default ${baseUrlDefault}.`),
  'api-key': textOption('The API key, ptk_… (POSTERN_API_KEY). Its secret comes from POSTERN_API_SECRET only.'),
  data: textOption('Without a key: the data folder of the gateway on this machine (POSTERN_DATA_DIR). Default ./data.'),
}

export type GatewayClient = { client: Postern; baseUrl: string }

/**
 * With the key that was given. Without one: the gateway that runs on this machine, unless another is named; then the one
 * that `postern login` was for. In this order, so that nobody reaches real customers while they try something at home. The
 * service of a gateway has its address in POSTERN_BASE_URL too; that names no other gateway.
 */
export async function gatewayClient({ flags, output, host }: Invocation): Promise<GatewayClient> {
  const environment = readEnvironment(host.env)
  const given = textFlag(flags, 'base-url') ?? environment.baseUrl
  const apiKey = textFlag(flags, 'api-key') ?? environment.apiKey
  const { apiSecret } = environment
  if (apiKey && apiSecret) return withKey({ baseUrl: withScheme(given || baseUrlDefault), apiKey, apiSecret })
  const named = given ? withScheme(given) : null
  const chosen = named && !apiKey ? findLogin(host.env, named) : null
  const local = apiKey || chosen ? null : await findLocalGateway(settingsForData(flags, withoutBaseUrl(host)))
  if (local && (named === null || sameAddress(local.baseUrl, named))) {
    return { client: new Postern({ ...local, apiKey: 'local', apiSecret: 'local' }), baseUrl: local.baseUrl }
  }
  const login = chosen ?? (apiKey || named ? null : findLogin(host.env, null))
  if (login) {
    output.note(`Gateway: ${login.base_url}`)
    return withKey({ baseUrl: login.base_url, apiKey: login.api_key, apiSecret: login.api_secret })
  }
  throw new CommandFailure(
    'Sign in with "postern login", or set POSTERN_API_KEY and POSTERN_API_SECRET; "postern keys create --name Laptop" creates them. A gateway on this machine is found through --data and needs no key.',
    exitCodes.auth,
  )
}

/** Commands take addresses that are no setting, such as `localhost:8080`. */
function withoutBaseUrl(host: Host): Host {
  return { ...host, env: { ...host.env, POSTERN_BASE_URL: undefined } }
}

function withKey(about: { baseUrl: string; apiKey: string; apiSecret: string }): GatewayClient {
  try {
    return { client: new Postern(about), baseUrl: about.baseUrl }
  } catch (error) {
    if (error instanceof TypeError) throw wrongUsage(`--base-url: ${error.message}.`)
    throw error
  }
}

/** `localhost:8080` is an address too: http on this machine, https elsewhere. */
export function withScheme(address: string): string {
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(address)) return address
  return /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])(:\d+)?(\/|$)/i.test(address)
    ? `http://${address}`
    : `https://${address}`
}

/** What a gateway refused, or that there is none: the one sentence to print, and under it what it says beside. */
export function explainGateway(error: unknown, baseUrl: string): unknown {
  if (!(error instanceof errors.PosternError)) return error
  const { code, message, requiredScope } = error
  if (error instanceof errors.ConnectionError) {
    return new CommandFailure(
      wasAsked(error)
        ? `The gateway at ${baseUrl} received the request but did not respond: it may have processed it. Check before you repeat it.`
        : `No gateway responds at ${baseUrl}. Start it with "npm start", or set another address with --base-url.`,
    )
  }
  if (code === 'unexpected_response') return new CommandFailure(`The server at ${baseUrl} is not a Postern gateway.`)
  if (code === 'endpoint_not_found') {
    return new CommandFailure(`The gateway at ${baseUrl} is older than this command: upgrade it.`)
  }
  if (code === 'invalid_credentials') {
    return new CommandFailure(
      `The gateway at ${baseUrl} does not accept this API key and secret: check POSTERN_API_KEY and POSTERN_API_SECRET, or sign in again with "postern login".`,
      exitCodes.auth,
    )
  }
  if (requiredScope !== undefined) {
    return new CommandFailure(`The API key lacks the scope ${requiredScope}; create one that has it.`, exitCodes.auth)
  }
  return new CommandFailure([message, ...hintsOf(error)].join('\n  '), exitCodeOf(error))
}

const cutOff = ['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET', 'UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT', 'timeout']

/** There was a connection, and the question may have gone through it. */
function wasAsked(error: unknown): boolean {
  return (
    error instanceof Error && (cutOff.includes(String((error as { code?: unknown }).code)) || wasAsked(error.cause))
  )
}

/** The fields to blame, the record that was made, when to come back, and the page about the code. */
function hintsOf({ message, code, details, messageId, retryAfter, docUrl }: errors.PosternError): string[] {
  return [
    ...detailLines(message, details),
    ...(messageId === undefined ? [] : [`The record of the message is ${messageId}.`]),
    ...(retryAfter === undefined ? [] : [`Try again in ${retryAfter} s.`]),
    ...(docUrl === undefined ? [] : [`${code}: ${docUrl}`]),
  ]
}

/** Each field to blame, where the sentence has not said it already. */
export function detailLines(sentence: string, details: readonly { field: string; message: string }[]): string[] {
  return details.flatMap(({ field, message }) => (sentence.includes(message) ? [] : [`${field}: ${message}`]))
}

function exitCodeOf(error: errors.PosternError): number {
  if (error instanceof errors.AuthenticationError || error instanceof errors.PermissionError) return exitCodes.auth
  if (error instanceof errors.RateLimitError) return exitCodes.rateLimited
  if (error instanceof errors.NotFoundError) return exitCodes.notFound
  return error instanceof errors.InvalidRequestError ? exitCodes.usage : exitCodes.failure
}
