import { actorOf, type Member } from '../access/console-member.ts'
import { unseal } from '../channels/channel-app.ts'
import { readChannel } from '../channels/channel-record.ts'
import { AppError } from '../contract/app-error.ts'
import { minuteMs } from '../lib/durations.ts'
import type { BusinessNumber, NumberCredentials } from '../platform/chat-platform.ts'
import { PlatformError } from '../platform/platform-error.ts'
import type { Runtime } from '../runtime.ts'
import { connectSignup, findSignup, listSignups, type SignupRow } from '../store/channels/signups.ts'
import { unitOf } from '../store/engine/unit.ts'
import { type ConnectResult, connectChannel } from './connect-channel.ts'
import { end, requireSignupApp, type SignupApp, type SignupProblem } from './open-signup.ts'

/** A number that the token of a signup can see. */
type SignupChoice = BusinessNumber & { wabaId: string }
type SignupPick = {
  phoneNumberId?: string | null
  /** Registers a number that cannot send yet. */
  pin?: string | null
  takeOver?: boolean
}

/**
 * Connects a number with the token of a signup: what was killed on the way, or failed for a wrong PIN, is repeated from the
 * stored token. The only number is meant unless the person picked one.
 */
export async function finishSignup(rt: Runtime, member: Member, id: string, picked: SignupPick = {}) {
  const app = requireSignupApp(rt)
  const row = await requireSignup(rt, member, id)
  const accessToken = row.access_token === null ? null : unseal(rt, row, 'access_token', row.access_token)
  if (row.step !== 'granted' || accessToken === null) return describe(rt, row)
  const choices = await numbersSeenBy(rt, app, row, accessToken)
  if (choices === 'refused') {
    await end(rt, id, 'token_refused')
    return describe(rt, await requireSignup(rt, member, id))
  }
  const chosen = choose(choices, picked.phoneNumberId ?? null)
  const needsPin = chosen !== null && chosen.status !== 'CONNECTED' && !chosen.onBusinessApp
  if (!chosen || (needsPin && !picked.pin)) return describe(rt, row, choices)
  const result = await connectChannel(rt, {
    accountId: member.accountId,
    kind: 'cloud',
    wabaId: chosen.wabaId,
    phoneNumberId: chosen.phoneNumberId,
    accessToken,
    appId: app.appId,
    // A number of the WhatsApp Business app is registered already, and must not be again.
    pin: needsPin ? (picked.pin ?? null) : null,
    takeOver: picked.takeOver ?? false,
    actor: actorOf(member),
    context: member.context,
  })
  if (result.channel) {
    const { phoneNumberId } = chosen
    const sync = chosen.onBusinessApp ? 'due' : null
    const done = { id, channel_id: result.channel.id, phone_number_id: phoneNumberId, sync, now: rt.clock.now() }
    await rt.store.write(unitOf(connectSignup, done))
  }
  return describe(rt, await requireSignup(rt, member, id), choices, result)
}

/** The token goes. What Meta was told stays until it is taken back there. */
export async function giveUpSignup(rt: Runtime, member: Member, id: string) {
  await requireSignup(rt, member, id)
  await end(rt, id, 'given_up')
  return describe(rt, await requireSignup(rt, member, id))
}

export async function describeSignups(rt: Runtime, { accountId }: Pick<Member, 'accountId'>) {
  const rows = await rt.store.read(listSignups, { account_id: accountId })
  const signups = []
  for (const row of rows) signups.push(await describe(rt, row))
  return { signups }
}

async function requireSignup(rt: Runtime, { accountId }: Member, id: string): Promise<SignupRow> {
  const [row] = await rt.store.read(findSignup, { account_id: accountId, id })
  if (row) return row
  throw new AppError('signup_not_found', 'This account has no such signup. Start it again.')
}

/**
 * The accounts that Meta lists for the token; where it lists none, the one that the browser named. Each is asked for with
 * the token, so that a claim proves itself or shows nothing.
 */
async function numbersSeenBy(
  rt: Runtime,
  app: SignupApp,
  row: SignupRow,
  accessToken: string,
): Promise<SignupChoice[] | 'refused'> {
  const of = (wabaId: string): NumberCredentials => ({
    phoneNumberId: '',
    wabaId,
    accessToken,
    appId: app.appId,
    appSecret: app.appSecret,
    baseUrl: app.baseUrl,
    graphVersion: app.graphVersion,
  })
  const token = await ask(rt.platform.debugToken(of(''), { asApp: app }))
  if (!token.valid || token.appId !== app.appId) return 'refused'
  const listed = token.wabaIds ?? (row.claimed_waba_id === null ? [] : [row.claimed_waba_id])
  const choices: SignupChoice[] = []
  for (const wabaId of listed.slice(0, accountsMax)) {
    const numbers = await rt.platform.listBusinessNumbers(of(wabaId)).catch((error: unknown) => {
      // One account that went away, or that was only claimed, hides no other.
      if (error instanceof PlatformError && error.outcome === 'refused') return []
      throw error
    })
    choices.push(...numbers.map((number) => ({ ...number, wabaId })))
  }
  return choices
}

const accountsMax = 20

async function ask<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer
  } catch (error) {
    if (!(error instanceof PlatformError)) throw error
    throw new AppError('upstream_unavailable', 'Meta did not respond. The signup is kept: continue it in a minute.')
  }
}

/** A number that the token does not see belongs to another business. */
function choose(choices: readonly SignupChoice[], wanted: string | null): SignupChoice | null {
  if (wanted === null) return choices.length === 1 ? (choices[0] ?? null) : null
  const found = choices.find(({ phoneNumberId }) => phoneNumberId === wanted)
  if (found) return found
  throw new AppError('signup_rejected', 'Meta gave no access to this number. Choose one of those that were shared.')
}

const problems: Record<SignupProblem, string> = {
  canceled: "It was canceled on Meta's page. Nothing was connected.",
  refused: 'Meta returned without a permission. Nothing was connected.',
  code_rejected: 'Meta rejected the code: it was used already, or came too late. Start again.',
  lost: "Meta's response got lost, and a code works only once. Start again.",
  token_refused: 'Meta rejects the token, or it belongs to another app. Start again.',
  given_up: 'It was given up. Nothing was connected.',
}

/** A code that was being traded for so long was traded by a process that is gone. */
const redeemingMs = minuteMs

async function describe(
  rt: Runtime,
  row: SignupRow,
  choices: readonly SignupChoice[] = [],
  result: ConnectResult | null = null,
) {
  const isLost = row.step === 'redeeming' && row.updated_at + redeemingMs < rt.clock.now()
  const step = isLost ? 'ended' : row.step
  const problem = isLost ? 'lost' : row.problem
  return {
    id: row.id,
    step: step as 'opened' | 'redeeming' | 'granted' | 'connected' | 'ended',
    on_business_app: row.on_business_app === 1,
    problem: problem === null ? null : problems[problem as SignupProblem],
    choices: choices.map((one) => ({
      business_id: one.wabaId,
      phone_number_id: one.phoneNumberId,
      phone_number: one.displayPhoneNumber,
      display_name: one.verifiedName,
      needs_pin: one.status !== 'CONNECTED' && !one.onBusinessApp,
    })),
    channel: row.channel_id === null ? null : await readChannel(rt, row.account_id, row.channel_id),
    steps: result?.steps ?? [],
    contacts_sync: syncOf(rt, row, row.contacts_sync),
    history_sync: syncOf(rt, row, row.history_sync),
  }
}

/** An answer that never came back stays unknown: to ask again could only be refused. */
function syncOf(rt: Runtime, row: SignupRow, state: string | null) {
  const isUnknown = state === 'asking' && row.updated_at + redeemingMs < rt.clock.now()
  return (isUnknown ? 'unknown' : state) as 'due' | 'asking' | 'done' | 'late' | 'refused' | 'unknown' | null
}
