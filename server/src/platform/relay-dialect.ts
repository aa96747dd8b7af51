import type { OutboundMessage } from './outbound-message.ts'

/** One thing the platform said, in a body of its own that looks like the platform's. */
export type RelayPiece = {
  kind: 'message' | 'status' | 'echo' | 'other'
  field: string
  wabaId: string | null
  phoneNumberId: string | null
  /** The messages it names: itself, what it is about, what it answers. */
  messageIds: readonly string[]
  body: string
}

/** The parts of a piece that only the sending connection gets. */
export type RelayedMessage = {
  id: string
  /** The id by which the client knows it. */
  alias: string | null
  /** Data that the client expects in every status. */
  opaque: string | null
}

export type RelayedEcho = {
  wabaId: string
  phoneNumberId: string
  ownPhone: string
  customer: { phone: string | null; userId: string | null }
  messageId: string
  at: number
  outbound: OutboundMessage
  /** Its parameters are not shown to others. */
  isSecret: boolean
}

/** Relaying callbacks to Cloud API clients. Like the rest of a dialect, it only reads and writes bodies. */
export type RelayDialect = {
  /**
   * Everything in a callback, each in a body of its own; an empty list for what is none. `mediaBase` is where files are
   * read.
   */
  split(bodyText: string, mediaBase: string): RelayPiece[]
  /** Several pieces of one callback together again, as they came. */
  join(bodies: readonly string[]): string
  /** The same bytes each time. `masked`: for a client that sees no people. */
  render(body: string, own: { messages: readonly RelayedMessage[]; masked: boolean }): string
  /** A message sent by others, as the platform reports it. */
  echo(echo: RelayedEcho): string
  /** Whether a client that sees no people may hear of it. */
  namesNobody(piece: Pick<RelayPiece, 'kind' | 'field'>): boolean
  /** Headers that prove a body; `mac` is that of the app's secret. */
  signed(mac: (body: Uint8Array) => string, body: Uint8Array): Record<string, string>
  /** The handshake of a client's callback address, and its result. */
  handshakeUrl(address: URL, asked: { verifyToken: string; challenge: string }): string
  isHandshakeReply(reply: string, challenge: string): boolean
}
