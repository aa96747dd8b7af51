import type { RelayDialect } from '../../relay-dialect.ts'

/** The question that the platform asks of an address before it reports to it. */
export const handshakeUrl: RelayDialect['handshakeUrl'] = (address, { verifyToken, challenge }) => {
  const { searchParams } = address
  searchParams.set('hub.mode', 'subscribe')
  searchParams.set('hub.challenge', challenge)
  searchParams.set('hub.verify_token', verifyToken)
  return address.href
}

/** Bare, quoted, or as JSON: there are clients that answer with a number. */
export const isHandshakeReply: RelayDialect['isHandshakeReply'] = (reply, challenge) => {
  const text = reply.replace(/^\uFEFF/, '').trim()
  return text === challenge || text === `"${challenge}"` || text === `'${challenge}'`
}
