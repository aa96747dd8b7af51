import type { AppErrorExtras } from '../contract/app-error.ts'
import type { ErrorCode } from '../contract/errors.ts'

export type WireBody = Record<string, unknown>
export type WireAnswer = { readonly status: number; readonly body: WireBody }

/** A request to send, as clients of the platform write it. */
export type WireSend = {
  /** As it was written; null where there is none. A number wins over a user id. */
  to: string | null
  toGroup: boolean
  /** The platform's word for what is sent, with the kind of an interactive message behind a point. */
  type: string
  /** The same as a request to /v1, where the platform's form has one; whether its values are right is not looked at. */
  request: { kind: string; body: WireBody } | null
  /** The id of the message it quotes. */
  quoted: string | null
  /** What the client wants to find in every status of the message. */
  opaque: string | null
  /** Its category says that it needs no open window. */
  hasCategory: boolean
}

/** A message that is to be marked as read, where the body of a send says that instead. */
export type WireRead = { messageId: string; typing: boolean }

export type WireToken = {
  appId: string
  name: string
  /** Null: never. */
  expiresAt: number | null
  wabaIds: readonly string[]
}

/** What a refusal in the platform's words is made of. */
export type WireRefusal = {
  code: ErrorCode
  sentence: string
  requestId: string
  extras: Pick<AppErrorExtras, 'details' | 'retryAfterSeconds' | 'ofCustomer' | 'upstream'>
}

/**
 * The words in which clients of the platform speak to us, and expect to be answered. Nothing here does anything: it reads and
 * writes bodies.
 */
export type Dialect = {
  readRead(body: WireBody): WireRead | null
  readSend(body: WireBody): WireSend
  /** The same body with other ids for the quoted message and the one that is reacted to; null leaves an id as it is. */
  withIds(body: WireBody, ids: { quoted: string | null; reacted: string | null }): WireBody
  /** The body as it goes to the platform: its own, with our mark. */
  sendBody(body: WireBody, correlation: string): WireBody
  /** An id that looks like one of the platform's, made of ours; `ownId` takes it back, and is null for any other. */
  aliasOf(ownId: string): string
  ownId(alias: string): string | null
  /** What a send answers whose real answer is missing. */
  accepted(sent: { to: string; messageId: string }): WireBody
  /** Of a list, the entries with these ids. */
  onlyIds(body: WireBody, ids: readonly string[]): WireBody
  /**
   * A page whose links lead to us. The platform writes its own host and the token of the request into them, which is ours; the
   * caller's stands in them only if it came in the address too.
   */
  withOwnLinks(body: WireBody, link: { base: string; token: string | null }): WireBody
  /** Whether it says where numbers are reported to, which is the gateway's own address. */
  showsCallback(body: WireBody): boolean
  /** The same with the address of the connection in its place; null: it has none. */
  withOwnCallback(body: WireBody, url: string | null): WireBody
  /** Whom a change of the block list has blocked and unblocked. */
  blockedIn(body: WireBody): { blocked: string[]; unblocked: string[] }
  /** What a file is, and where its bytes are. */
  mediaFacts(media: { id: string; url: string; mimeType: string; sha256: string; bytes: number }): WireBody
  /** What a token says about itself when it is asked. */
  debugged(token: WireToken): WireBody
  /** What names the connection: to the platform's clients it is an app. */
  appToken(app: { appId: string; appSecret: string }): WireBody
  /** Where the app is told, and of what; null: nowhere. */
  subscriptions(told: { url: string; active: boolean; fields: readonly string[] } | null): WireBody
  /** The apps that are told of a business account: this one. */
  subscribedApps(app: { appId: string; url: string | null }): WireBody
  refusal(refusal: WireRefusal): WireAnswer
  /** The code of an error in the platform's shape; null for everything else. */
  errorCode(answer: WireAnswer): number | null
  /** A refusal of the platform as it came; null where it is about our own token, which is not the client's business. */
  passedRefusal(answer: WireAnswer): WireAnswer | null
}
