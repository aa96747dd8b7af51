import { PlatformError } from '../platform/platform-error.ts'

/** One thing that was looked at, told to a person: what was found and, where it is wrong, what to do. */
export type CheckStep = {
  name: StepName
  status: 'ok' | 'failed' | 'skipped'
  sentence: string
  fix: string | null
}

export type StepName = 'token' | 'permissions' | 'app_secret' | 'number' | 'subscription' | 'callback' | 'health'

export function ok(name: StepName, sentence: string): CheckStep {
  return { name, status: 'ok', sentence, fix: null }
}

export function failed(name: StepName, sentence: string, fix: string): CheckStep {
  return { name, status: 'failed', sentence, fix }
}

export function skipped(name: StepName, sentence: string): CheckStep {
  return { name, status: 'skipped', sentence, fix: null }
}

export function isFailed({ status }: CheckStep): boolean {
  return status === 'failed'
}

/** A call to the platform that failed; anything else that was thrown is a defect of ours and goes on. */
export function failedCall(name: StepName, what: string, error: unknown, fix: string): CheckStep {
  if (!(error instanceof PlatformError)) throw error
  if (error.kind === 'unreachable') {
    return failed(
      name,
      `${what}: the platform could not be reached.`,
      'Check the network and the address, then repeat.',
    )
  }
  if (error.kind === 'throttled') {
    return failed(name, `${what}: the platform takes no more calls right now.`, 'Wait a few minutes, then repeat.')
  }
  const { title, detail, code } = error.upstream
  const reason = (detail ?? title ?? 'no reason was given').replace(/[\s.]+$/, '')
  return failed(name, `${what}: ${reason}${code === null ? '' : ` (platform code ${code})`}.`, fix)
}
