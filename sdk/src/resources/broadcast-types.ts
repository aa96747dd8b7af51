import type { Answer, Filters, Input, Moment } from '../http/wire.ts'

/** A broadcast with its progress. */
export interface Broadcast extends Answer<'Broadcast'> {
  /** `accepted` is the sum of all others but `delivered` and `read`, which are parts of `sent`. */
  counts: Answer<'Broadcast'>['counts']
}

/** What to send, to whom, and when. */
export interface BroadcastDraft extends Omit<Input<'BroadcastDraft'>, 'startAt'> {
  /** When to start; needs `recipients`. */
  startAt?: Moment | null
}

/** What is to change. Number, template and values can be changed in a draft only. */
export type BroadcastChanges = Input<'BroadcastChanges'>

/** When to start, and what must be true for it. */
export interface BroadcastStart extends Omit<Input<'BroadcastStart'>, 'startAt'> {
  /** Up to 30 days ahead. Default: now. */
  startAt?: Moment | null
}

/** Which recipients to copy. */
export type BroadcastCopy = Input<'BroadcastCopy'>

/** Which broadcasts, and how many of them at once. */
export type BroadcastFilters = Filters<'listBroadcasts'>

/** Which recipients, and how many of them at once. */
export type RecipientFilters = Filters<'listRecipients'>

/** A recipient and their result. */
export type BroadcastRecipient = Answer<'BroadcastRecipient'>

/** What was taken of an upload. */
export type UploadResult = Answer<'UploadResult'>

/** Reach, duration and cost. */
export type BroadcastEstimate = Answer<'BroadcastEstimate'>

/** A recipient in a request. */
export type RecipientInput = Input<'RecipientsUpload'>['recipients'][number]

/**
 * Recipients: up to 1,000 as objects, or a file that streams, as CSV or as one JSON object in each line. `createReadStream()`
 * of Node and `Bun.file().stream()` are such files.
 */
export type RecipientSource =
  | readonly RecipientInput[]
  | { csv: string | Uint8Array | Blob | ReadableStream<Uint8Array> | AsyncIterable<Uint8Array | string> }
  | { ndjson: string | Uint8Array | Blob | ReadableStream<Uint8Array> | AsyncIterable<Uint8Array | string> }

/** How to take an upload. */
export type UploadOptions = Filters<'uploadRecipients'>

/** What a broadcast is waited for. */
export interface WaitOptions {
  /** Resolves when the broadcast has this status, or has ended. Default: `completed`. */
  until?: Broadcast['status']
  /** How often to look, in milliseconds. Default: 5000. */
  everyMs?: number
  /** Ends the waiting. */
  signal?: AbortSignal
}
