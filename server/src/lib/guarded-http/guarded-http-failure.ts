import { isIPv6 } from 'node:net'
import { NameError } from './dns-cache.ts'

/** Why there was no answer. `our_fault` is never charged to the receiver. */
export type FailureCode =
  | 'timeout'
  | 'connection_reset'
  | 'connection_refused'
  | 'dns_error'
  | 'tls_error'
  | 'blocked_address'
  | 'protocol_error'
  | 'our_fault'

/** A failure that already knows its code; everything else goes through `explainFailure`. */
export class ExchangeError extends Error {
  override name = 'ExchangeError'
  readonly failureCode: FailureCode

  constructor(failureCode: FailureCode, message: string) {
    super(message)
    this.failureCode = failureCode
  }
}

export type Failure = {
  code: FailureCode
  message: string
  /** This process is short of sockets or memory: no other target would fare better. */
  exhausted?: boolean
}

/** One sentence whatever was found, so that the delivery log is no port scanner. */
export const BLOCKED: Failure = { code: 'blocked_address', message: 'The target is not a permitted public address.' }

export function blockedAddress(): ExchangeError {
  return new ExchangeError(BLOCKED.code, BLOCKED.message)
}

/** Turns whatever Node or undici raised into a code and a sentence for the delivery log. */
export function explainFailure(error: unknown): Failure {
  if (error instanceof ExchangeError) return { code: error.failureCode, message: error.message }
  if (error instanceof NameError) return { code: 'dns_error', message: error.message }
  const { code, message, address } = tellingError(error)
  if (EXHAUSTED.has(code)) return { code: 'our_fault', message: OUT_OF_SOCKETS, exhausted: true }
  // Without IPv6 on this machine there is no address to call one from. With IPv4 it means that all ports are in use.
  if (code === 'EADDRNOTAVAIL') {
    if (isIPv6(address)) return { code: 'connection_refused', message: UNREACHABLE }
    return { code: 'our_fault', message: OUT_OF_SOCKETS, exhausted: true }
  }
  if (code === 'UND_ERR_SOCKET') return explainSocketError(message)
  const known = KNOWN[code]
  if (known) return { code: known[0], message: known[1] }
  if (code.startsWith('HPE_')) return { code: 'protocol_error', message: NOT_HTTP }
  if (TLS_CODE.test(code)) return { code: 'tls_error', message: `The TLS connection failed (${code}).` }
  return { code: 'protocol_error', message: `The exchange failed (${code || 'unknown error'}).` }
}

const TLS_CODE = /^(ERR_TLS_|ERR_SSL_|ERR_OSSL_|CERT_|UNABLE_TO_|CRL_|ERROR_IN_CERT|EPROTO$)/
const NOT_HTTP = 'The response was not valid HTTP/1.1.'
const RESET = 'The receiver closed the connection before it responded.'
const UNREACHABLE = 'The receiver could not be reached.'
const OLD_TLS = 'The receiver offers no accepted TLS version or cipher; TLS 1.2 or newer is required.'
const OUT_OF_SOCKETS = 'The gateway ran out of sockets or memory.'
const CLOSING = 'The gateway is shutting down.'
const SELF_SIGNED = 'The certificate is self-signed.'
const UNKNOWN_ISSUER = 'The certificate was issued by an authority that is not trusted.'

const EXHAUSTED = new Set(['EMFILE', 'ENFILE', 'ENOBUFS', 'ENOMEM'])

const KNOWN: Record<string, [FailureCode, string]> = {
  ETIMEDOUT: ['timeout', 'No connection was made in time.'],
  ECONNRESET: ['connection_reset', RESET],
  ECONNABORTED: ['connection_reset', RESET],
  EPIPE: ['connection_reset', RESET],
  ECONNREFUSED: ['connection_refused', 'The receiver refused the connection.'],
  EHOSTUNREACH: ['connection_refused', UNREACHABLE],
  EHOSTDOWN: ['connection_refused', UNREACHABLE],
  ENETUNREACH: ['connection_refused', UNREACHABLE],
  CERT_HAS_EXPIRED: ['tls_error', 'The certificate has expired.'],
  CERT_NOT_YET_VALID: ['tls_error', 'The certificate is not valid yet.'],
  DEPTH_ZERO_SELF_SIGNED_CERT: ['tls_error', SELF_SIGNED],
  SELF_SIGNED_CERT_IN_CHAIN: ['tls_error', UNKNOWN_ISSUER],
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: ['tls_error', UNKNOWN_ISSUER],
  UNABLE_TO_GET_ISSUER_CERT: ['tls_error', UNKNOWN_ISSUER],
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: ['tls_error', UNKNOWN_ISSUER],
  ERR_TLS_CERT_ALTNAME_INVALID: ['tls_error', 'The certificate is for another host name.'],
  ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION: ['tls_error', OLD_TLS],
  ERR_SSL_UNSUPPORTED_PROTOCOL: ['tls_error', OLD_TLS],
  ERR_SSL_SSL_TLS_ALERT_HANDSHAKE_FAILURE: ['tls_error', OLD_TLS],
  ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE: ['tls_error', OLD_TLS],
  ERR_SSL_WRONG_VERSION_NUMBER: ['tls_error', 'The receiver does not speak TLS on this port.'],
  ERR_SSL_PACKET_LENGTH_TOO_LONG: ['tls_error', 'The receiver does not speak TLS on this port.'],
  UND_ERR_HEADERS_OVERFLOW: ['protocol_error', 'The headers of the response are larger than 16 KiB.'],
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: [
    'protocol_error',
    'The body of the response does not have the announced length.',
  ],
  UND_ERR_INVALID_ARG: ['our_fault', 'The request could not be formed.'],
  UND_ERR_DESTROYED: ['our_fault', CLOSING],
  UND_ERR_CLOSED: ['our_fault', CLOSING],
  EACCES: ['our_fault', 'The gateway is not permitted to open this connection.'],
  EPERM: ['our_fault', 'The gateway is not permitted to open this connection.'],
}

/** undici has one code for a peer that went away and for one that answered out of turn (`bad response`, `bad upgrade`). */
function explainSocketError(message: string): Failure {
  if (message.startsWith('bad ')) return { code: 'protocol_error', message: NOT_HTTP }
  return { code: 'connection_reset', message: RESET }
}

type Telling = { code: string; message: string; address: string }

/**
 * When several addresses were tried, one failure is told: that this process is exhausted, else the last of an IPv4
 * address, because a missing IPv6 route is common and says little, else the last.
 */
function tellingError(error: unknown): Telling {
  const tried = error instanceof AggregateError ? error.errors.map(partsOf) : []
  return (
    tried.find(({ code }) => EXHAUSTED.has(code)) ??
    tried.findLast(({ address }) => !isIPv6(address)) ??
    tried.at(-1) ??
    partsOf(error)
  )
}

function partsOf(error: unknown): Telling {
  const { code, message, address } = (error ?? {}) as Record<string, unknown>
  return { code: textOf(code), message: textOf(message), address: textOf(address) }
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
