import { PlatformError, type PlatformErrorCode } from '../../platform/platform-error.ts'

/** One thing that was looked at, told to a person: what was found and, where it is wrong, what to do. */
export type CheckStep = {
  name: StepName
  /** `warning`: it works, and something is missing or could not be checked. */
  status: 'ok' | 'warning' | 'failed' | 'skipped'
  sentence: string
  fix: string | null
  /** The error code of the call to the platform that failed, where one did. */
  code: PlatformErrorCode | null
}

/** In the order in which they are looked at. */
export const stepNames = [
  'address',
  'token',
  'permissions',
  'app_secret',
  'number',
  'app_callback',
  'subscription',
  'callback',
  'read_back',
  'number_callback',
  'responders',
  'health',
] as const
export type StepName = (typeof stepNames)[number]

export function ok(name: StepName, sentence: string): CheckStep {
  return { name, status: 'ok', sentence, fix: null, code: null }
}

export function failed(name: StepName, sentence: string, fix: string, code: CheckStep['code'] = null): CheckStep {
  return { name, status: 'failed', sentence, fix, code }
}

export function warning(name: StepName, sentence: string, fix: string, code: CheckStep['code'] = null): CheckStep {
  return { name, status: 'warning', sentence, fix, code }
}

export function skipped(name: StepName, sentence: string): CheckStep {
  return { name, status: 'skipped', sentence, fix: null, code: null }
}

export function isFailed({ status }: CheckStep): boolean {
  return status === 'failed'
}

/** A call to Meta that failed; anything else that was thrown is a defect of ours and goes on. */
export function failedCall(name: StepName, what: string, error: unknown, fix: string): CheckStep {
  if (!(error instanceof PlatformError)) throw error
  const { code, kind, upstream } = error
  if (kind === 'unreachable') {
    const sentence = `${what}: Meta could not be reached (${networkCodeOf(error) ?? 'no response'}).`
    return failed(name, sentence, 'Check the network and the address, then repeat.', code)
  }
  if (kind === 'throttled') {
    return failed(name, `${what}: Meta is rate-limiting calls right now.`, 'Wait a few minutes, then repeat.', code)
  }
  const known = diagnoses[code]
  const said = (upstream.detail ?? upstream.title ?? 'no reason was given').replace(/[\s.]+$/, '')
  const number = upstream.code === null ? '' : ` (Meta code ${upstream.code})`
  return failed(name, `${what}: ${known?.reason ?? said}${number}.`, known?.fix ?? fix, code)
}

/** `ENOTFOUND`, `ECONNREFUSED` and the like: what the network said, behind whatever our own errors say. */
function networkCodeOf(error: unknown): string | null {
  if (!(error instanceof Error)) return null
  const { code } = error as { code?: unknown }
  return networkCodeOf(error.cause) ?? (typeof code === 'string' && !(error instanceof PlatformError) ? code : null)
}

/** Codes that explain the problem and the fix on their own. */
const diagnoses: Partial<Record<PlatformErrorCode, { reason: string; fix: string }>> = {
  channel_auth_failed: {
    reason: 'Meta rejects the access token',
    fix: 'Create a system user token in the business settings and connect the channel with it.',
  },
  channel_permission_missing: {
    reason: 'the token lacks a permission or has no access to it',
    fix: 'Assign the app and the WhatsApp Business account to the system user with full control, then create a token with whatsapp_business_messaging and whatsapp_business_management.',
  },
  channel_number_not_registered: {
    reason: 'the number is not registered with the Cloud API',
    fix: 'Register the number: repeat with its six-digit PIN in POSTERN_CHANNEL_PIN.',
  },
  channel_number_not_verified: {
    reason: 'the number must be verified again before it can be registered',
    fix: 'Verify the number by SMS or call in WhatsApp Manager, then repeat.',
  },
  channel_pin_rejected: {
    reason: 'the two-step verification PIN is wrong',
    fix: 'Repeat with the correct PIN, or set a new one in WhatsApp Manager under two-step verification.',
  },
  channel_display_name_needed: {
    reason: 'the display name of the number is not approved',
    fix: 'Give the number a display name in WhatsApp Manager and wait for its approval.',
  },
  channel_payment_missing: {
    reason: 'the payment method of the WhatsApp Business account is missing or was declined',
    fix: "Add or fix the payment method in Meta's Billing Hub.",
  },
  channel_number_gone: {
    reason: 'the number or its WhatsApp Business account was deleted, or the token has no access to it',
    fix: 'Compare the ids with WhatsApp Manager, and give the system user access to the account.',
  },
  channel_spam_limited: {
    reason: 'Meta restricts the number after customers blocked or reported it',
    fix: 'Look at the quality of the number in WhatsApp Manager.',
  },
  channel_account_restricted: {
    reason: 'Meta has locked or restricted the WhatsApp Business account',
    fix: 'Open the account in WhatsApp Manager, under Account quality, and follow its instructions.',
  },
}
