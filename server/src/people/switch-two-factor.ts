import { randomBytes } from 'node:crypto'
import { entryBy, type Member } from '../access/console-member.ts'
import { writeAudited } from '../audit/audit.ts'
import { AppError } from '../contract/app-error.ts'
import { formatInstant } from '../lib/instant.ts'
import { toBase32 } from '../lib/totp.ts'
import type { SignInLimit } from '../limits/sign-in.ts'
import type { Runtime } from '../runtime.ts'
import { deleteSessionsOfPerson } from '../store/accounts/setup-links.ts'
import {
  beginTwoFactor,
  countRecoveryCodes,
  deleteRecoveryCodes,
  insertRecoveryCode,
  switchOffTwoFactor,
  switchOnTwoFactor,
} from '../store/accounts/two-factor.ts'
import { findUser, type UserRow } from '../store/accounts/users.ts'
import { ConditionFailed } from '../store/engine/store-error.ts'
import { type Unit, unitOf } from '../store/engine/unit.ts'
import { provePassword } from './sign-in.ts'
import { codeRefused, matchCode, recoveryMac, secretPurpose } from './two-factor-code.ts'
import { withTwoFactor } from './with-two-factor.ts'

const secretBytes = 20
const issuer = 'Postern'

export async function describeTwoFactor(rt: Runtime, member: Member) {
  const user = await requireSelf(rt, member)
  const [codes] = await rt.store.read(countRecoveryCodes, { person_id: user.person_id })
  return {
    since: formatInstant(user.two_factor_since),
    recovery_codes_left: codes?.unused ?? 0,
  }
}

/**
 * A new secret for the person's app. It counts for nothing until `switchOn`; the one of an earlier page is replaced.
 */
export async function beginSetup(rt: Runtime, member: Member) {
  const secret = randomBytes(secretBytes)
  const sealed = rt.secrets.seal(secretPurpose, member.personId, secret)
  await unlessOn(rt.store.write(unitOf(beginTwoFactor, { id: member.personId, secret: sealed })))
  const text = toBase32(secret)
  const label = `${issuer}:${encodeURIComponent(member.email ?? member.name)}`
  return {
    secret: text,
    uri: `otpauth://totp/${label}?secret=${text}&issuer=${issuer}&algorithm=SHA1&digits=6&period=30`,
  }
}

/** The first code proves that the app has the secret. Sessions that began with the password alone end, but this one. */
export async function switchOn(rt: Runtime, member: Member, code: string) {
  const user = await requireSelf(rt, member)
  if (user.two_factor_since !== null) throw alreadyOn()
  const proof = await matchCode(rt, user, code)
  if (proof.by !== 'app') throw codeRefused()
  const codes = await makeRecoveryCodes(rt, user.person_id)
  const { person_id: id } = user
  const change = { id, secret: user.two_factor_secret ?? '', step: proof.step, now: rt.clock.now() }
  const written = writeAudited(rt, entryBy(member, 'two_factor.switched_on'), (unit) => {
    unit.add(switchOnTwoFactor, change)
    replaceRecoveryCodes(unit, id, codes)
    unit.add(deleteSessionsOfPerson, { person_id: id, keep_id: member.sessionId })
  })
  await unlessOn(written)
  return { recovery_codes: codes.shown }
}

type BothFactors = { password: string; code: string }

export async function renewRecoveryCodes(rt: Runtime, limit: SignInLimit, member: Member, given: BothFactors) {
  const codes = await makeRecoveryCodes(rt, member.personId)
  await withBothFactors(rt, limit, member, given, 'two_factor.recovery_codes_renewed', (unit) =>
    replaceRecoveryCodes(unit, member.personId, codes),
  )
  return { recovery_codes: codes.shown }
}

export async function switchOff(rt: Runtime, limit: SignInLimit, member: Member, given: BothFactors): Promise<void> {
  await withBothFactors(rt, limit, member, given, 'two_factor.switched_off', (unit) =>
    addSwitchOff(rt, unit, member.personId),
  )
}

/**
 * Needs both factors once more: a person at an open screen, or with the password alone, cannot weaken the second one.
 */
async function withBothFactors(
  rt: Runtime,
  limit: SignInLimit,
  member: Member,
  { password, code }: BothFactors,
  action: string,
  change: (unit: Unit) => void,
): Promise<void> {
  const { user, source, succeeded } = await provePassword(rt, limit, member, password)
  if (user.two_factor_since === null) throw notOn()
  await withTwoFactor(rt, limit, { user, code, context: member.context, source }, (proof) =>
    writeAudited(rt, [entryBy(member, action), ...proof.entries], (unit) => {
      proof.addTo(unit)
      change(unit)
    }),
  )
  await succeeded()
}

export function addSwitchOff(rt: Runtime, unit: Unit, personId: string): void {
  unit.add(switchOffTwoFactor, { id: personId, now: rt.clock.now() })
  unit.add(deleteRecoveryCodes, { person_id: personId })
}

async function requireSelf(rt: Runtime, { userId }: Member): Promise<UserRow> {
  const [user] = await rt.store.read(findUser, { id: userId })
  if (!user) throw new AppError('member_not_found', 'You were just removed from the account.')
  return user
}

async function unlessOn(write: Promise<unknown>): Promise<void> {
  try {
    await write
  } catch (error) {
    throw error instanceof ConditionFailed ? alreadyOn() : error
  }
}

function alreadyOn(): AppError {
  return new AppError(
    'two_factor_already_on',
    'Two-factor sign-in is already on, or its setup was restarted in another window.',
  )
}

export function notOn(): AppError {
  return new AppError('two_factor_not_on', 'Two-factor sign-in is not on.')
}

const count = 10
/** 32 letters, none of which is taken for another on paper: one byte gives one without favouring any. */
const letters = '23456789abcdefghijkmnpqrstuvwxyz'
const length = 10

type RecoveryCodes = { readonly shown: string[]; readonly macs: string[] }

/** 50 bits each. What is shown is stored nowhere. */
async function makeRecoveryCodes(rt: Runtime, personId: string): Promise<RecoveryCodes> {
  const codes = Array.from({ length: count }, () =>
    [...randomBytes(length)].map((byte) => letters.charAt(byte % letters.length)).join(''),
  )
  return {
    shown: codes.map((code) => `${code.slice(0, 5)}-${code.slice(5)}`),
    macs: await Promise.all(codes.map((code) => recoveryMac(rt, personId, code))),
  }
}

/** The ones before stop working. */
function replaceRecoveryCodes(unit: Unit, personId: string, { macs }: RecoveryCodes): void {
  unit.add(deleteRecoveryCodes, { person_id: personId })
  unit.add(insertRecoveryCode, ...macs.map((code_mac) => ({ person_id: personId, code_mac })))
}
