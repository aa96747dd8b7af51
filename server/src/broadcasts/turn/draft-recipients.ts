import { sendDeadline } from '../../access/send-deadline.ts'
import type { ChannelNumber } from '../../channels/require-number.ts'
import { AppError } from '../../contract/app-error.ts'
import { addressKey } from '../../lib/phone.ts'
import { type Draft, requireAddress, type Sender } from '../../messages/send/draft.ts'
import { fillTemplate, requireMatch } from '../../messages/send/send-template.ts'
import type { Runtime } from '../../runtime.ts'
import type { BroadcastRow } from '../../store/broadcasts/broadcasts.ts'
import type { RecipientRow } from '../../store/broadcasts/recipients.ts'
import { findReached, findRefusing } from '../../store/broadcasts/results.ts'
import type { TemplateRecord } from '../../templates/content/template-types.ts'
import { filledFor } from '../estimate.ts'
import { type Stop, stopFor } from './stop-broadcast.ts'

/** `components` are the values as a send gives them. */
type Drafted = { row: RecipientRow; draft: Draft; components: unknown }
type Skipped = { place: number; reason: string }
export type Turn = { drafted: Drafted[]; skipped: Skipped[]; stop: Stop | null }

type Given = {
  broadcast: BroadcastRow
  number: ChannelNumber
  template: TemplateRecord
  columns: readonly string[]
  sender: Sender
}

/** Recipients whose turn it is, made ready for the platform; with those who get nothing, and why. */
export async function draftRecipients(rt: Runtime, given: Given, rows: readonly RecipientRow[]): Promise<Turn> {
  const excluded = await excludedOf(rt, given, rows)
  const turn: Turn = { drafted: [], skipped: [], stop: null }
  const drafts = await Promise.all(
    rows.map(async (row) => {
      const reason = excluded.get(row.place)
      return reason === undefined ? draftOne(rt, given, row) : { place: row.place, reason }
    }),
  )
  for (const one of drafts) {
    if ('draft' in one) turn.drafted.push(one)
    else if ('reason' in one) turn.skipped.push(one)
    else turn.stop ??= one.stop
  }
  return turn
}

async function draftOne(rt: Runtime, given: Given, row: RecipientRow): Promise<Drafted | Skipped | { stop: Stop }> {
  const { broadcast, number, template, columns, sender } = given
  try {
    const base = {
      number,
      address: requireAddress(row.address),
      replyTo: null,
      clientReference: row.client_reference,
      template: null,
      used: null,
    }
    const components = filledFor(broadcast, columns, row.cells)
    const matched = requireMatch(template, components)
    const draft = await fillTemplate(rt, { ...sender, deadline: sendDeadline(rt) }, base, template, matched)
    return { row, draft, components }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    const stop = stopFor(error.code)
    return stop ? { stop } : { place: row.place, reason: error.code }
  }
}

/** Recipients to skip: opted out, blocked, or already messaged by this broadcast under another address. */
async function excludedOf(rt: Runtime, { broadcast, template }: Given, rows: readonly RecipientRow[]) {
  const { account_id, id: broadcast_id, number_id } = broadcast
  const keys = new Map(rows.map((row) => [row.place, addressKey(row.address)]))
  const addresses = [...keys.values()]
  const since = broadcast.started_at ?? broadcast.created_at
  const [refusing, known] = await Promise.all([
    rt.store.read(findRefusing, { account_id, number_id, addresses }),
    rt.store.read(findReached, { account_id, broadcast_id, since, addresses }),
  ])
  const respectsOptOut = template.category === 'marketing' && rt.config.marketingOptOut !== 'platform'
  const optedOut = new Set(
    refusing.flatMap(({ address, opted_out_at: at }) => (at !== null && respectsOptOut ? [address] : [])),
  )
  const blocked = new Set(refusing.flatMap(({ address, blocked_at: at }) => (at === null ? [] : [address])))
  const customers = new Map(known.map((one) => [one.address, one]))
  const seen = new Set<string>()
  const excluded = new Map<number, string>()
  for (const [place, key] of keys) {
    const customer = customers.get(key)
    if (blocked.has(key)) excluded.set(place, 'blocked')
    else if (optedOut.has(key)) excluded.set(place, 'opted_out')
    else if (customer && (customer.reached === 1 || seen.has(customer.customer_id))) excluded.set(place, 'duplicate')
    else if (customer) seen.add(customer.customer_id)
  }
  return excluded
}
