import type { Static } from 'typebox'
import { actorOf, type Member } from '../access/console-member.ts'
import { type Actor, type AuditContext, writeAudited } from '../audit/audit.ts'
import { readChannelManual } from '../channels/attach-app.ts'
import { sharedApp } from '../channels/channel-app.ts'
import { listChannels, readChannel } from '../channels/channel-record.ts'
import { releaseCallback } from '../channels/check/check-callback.ts'
import { type CheckOptions, checkAddress, checkChannel } from '../channels/check/check-channel.ts'
import type { CheckStep } from '../channels/check/check-step.ts'
import { numbersOf } from '../channels/refresh-channel.ts'
import { openRow } from '../channels/require-number.ts'
import { addSandboxRequest, sandboxConnected } from '../channels/sandbox-number.ts'
import { setDefaultNumber } from '../channels/save-channel.ts'
import { AppError, invalidField } from '../contract/app-error.ts'
import type { ChannelForm } from '../contract/console/channel.ts'
import { compactPhone } from '../lib/phone.ts'
import type { Runtime } from '../runtime.ts'
import { releaseAppWabas } from '../store/channels/channel-apps.ts'
import { disconnectChannel as disconnect, findChannel } from '../store/channels/channels.ts'
import { disconnectNumbers } from '../store/channels/numbers.ts'
import { forgetToldStates } from '../store/channels/told-states.ts'
import { ConditionFailed } from '../store/engine/store-error.ts'
import { Unit } from '../store/engine/unit.ts'
import { connectChannel } from './connect-channel.ts'
import { signupApp } from './open-signup.ts'

const sandboxWaitMs = 8_000

export async function describeChannels(rt: Runtime, { accountId }: Member) {
  return {
    channels: await listChannels(rt, accountId),
    sandbox_available: rt.config.sandboxListen !== 'off',
    shared_app: sharedApp(rt) !== null,
    signup: signupApp(rt) !== null,
    // Known before anything is entered.
    address: checkAddress(rt, { baseUrl: rt.config.channelBaseUrl }),
  }
}

/** A real number; where it leads to is not for the form to say. */
export async function connectFromForm(rt: Runtime, member: Member, form: Static<typeof ChannelForm>) {
  const { ok, channel, steps } = await connectChannel(rt, {
    accountId: member.accountId,
    kind: 'cloud',
    wabaId: form.business_id,
    phoneNumberId: form.phone_number_id,
    accessToken: form.access_token,
    appSecret: form.app_secret ?? null,
    appId: form.app_id ?? null,
    takeOver: form.take_over ?? false,
    pin: form.pin ?? null,
    actor: actorOf(member),
    context: member.context,
  })
  return { ok, channel, steps, manual: channel && (await readChannelManual(rt, member.accountId, channel.id)) }
}

/** Asks the process that runs the sandbox for a number, and waits a little for it. */
export async function connectSandbox(rt: Runtime, member: Member) {
  if (rt.config.sandboxListen === 'off') {
    throw new AppError(
      'sandbox_not_available',
      'This gateway does not run a sandbox. Start it with POSTERN_SANDBOX_LISTEN set.',
    )
  }
  const unit = new Unit()
  addSandboxRequest(rt, unit, member.accountId)
  await rt.store.write(unit)
  await sandboxConnected(rt, member.accountId, sandboxWaitMs)
  return describeChannels(rt, member)
}

export async function checkAgain(rt: Runtime, { accountId }: Member, channelId: string, options: CheckOptions) {
  const result = await checkChannel(rt, accountId, channelId, options)
  if (!result) throw noSuchChannel()
  return { ...result, manual: await readChannelManual(rt, accountId, channelId) }
}

/** The number is typed first: after this it neither sends nor receives. */
export async function disconnectTyped(
  rt: Runtime,
  member: Member,
  channelId: string,
  confirm: string,
): Promise<CheckStep> {
  const channel = await readChannel(rt, member.accountId, channelId)
  if (!channel) throw noSuchChannel()
  const typed = compactPhone(confirm)
  if (!channel.numbers.some(({ phone_number }) => phone_number === typed)) {
    const message = 'Type the phone number of this channel, as shown above.'
    throw invalidField('confirm', 'invalid_value', message)
  }
  const { accountId, context } = member
  const step = await disconnectChannel(rt, { accountId, channelId, actor: actorOf(member), context })
  if (!step) throw noSuchChannel()
  return step
}

export async function chooseDefault(rt: Runtime, member: Member, numberId: string) {
  const { accountId, context } = member
  if (!(await setDefaultNumber(rt, { accountId, numberId, actor: actorOf(member), context }))) throw noSuchChannel()
  return describeChannels(rt, member)
}

function noSuchChannel(): AppError {
  return new AppError('channel_not_found', 'This account does not have this channel or number.')
}

type Disconnection = { accountId: string; channelId: string; actor: Actor; context?: AuditContext }

/**
 * Takes the callback address away at the platform, then forgets the credentials. What the platform answers does not
 * matter: a channel with a dead token can be disconnected too. Null: there is no such channel.
 */
export async function disconnectChannel(
  rt: Runtime,
  { accountId, channelId, actor, context }: Disconnection,
): Promise<CheckStep | null> {
  const [row] = await rt.store.read(findChannel, { account_id: accountId, id: channelId })
  const channel = row && openRow(rt, row)
  if (!row || !channel || row.status === 'disconnected') return null
  const [number] = await numbersOf(rt, channel)
  const step = await releaseCallback(rt, channel, number?.phone_number_id ?? '')
  const targets = [{ type: 'channel', id: channelId, name: row.name ?? row.waba_id }]
  const entry = { accountId, action: 'channel.disconnected', actor, targets, context }
  const now = rt.clock.now()
  try {
    await writeAudited(rt, entry, (unit) => {
      unit.add(disconnect, { id: channelId, account_id: accountId, now })
      unit.add(releaseAppWabas, { channel_id: channelId })
      unit.add(forgetToldStates, { channel_id: channelId })
      unit.add(disconnectNumbers, { channel_id: channelId, now })
    })
  } catch (error) {
    // Another request disconnected it in the same moment.
    if (error instanceof ConditionFailed) return null
    throw error
  }
  return step
}
