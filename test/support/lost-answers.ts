import type { Effects } from '../../sandbox/src/messages/scenario.ts'

/** When the platform tells what became of a message that it accepted. */
export type Telling = 'in time' | 'before the answer' | 'after a day' | 'never'

export type LostAnswer = {
  /** What the gateway gets in place of the answer. */
  loss: string
  telling: Telling
  effects: Effects
  /** False for an answer that is only late: it settles the message without a status. */
  isLost: boolean
}

export const dayMs = 86_400_000

/** Codes after which nobody knows whether a message was sent, the last one documented nowhere. */
export const uncertainErrors = [
  { code: 1 },
  { code: 2 },
  { code: 131000 },
  { code: 131016 },
  { code: 133004 },
  { code: 999_999, http_status: 500 },
]

const losses: { loss: string; effects: Effects; isLost: boolean }[] = [
  ...uncertainErrors.map((error) => ({
    loss: `code ${error.code}`,
    effects: { error_after_accept: error },
    isLost: true,
  })),
  { loss: 'a cut connection', effects: { reset_after_accept: true }, isLost: true },
  { loss: 'a late answer', effects: { delay_ms: 300 }, isLost: false },
]

const tellings: Record<Telling, Effects> = {
  'in time': {},
  'before the answer': { statuses_before_answer: true },
  'after a day': { statuses_after_ms: dayMs },
  never: { no_callbacks: true },
}

/** Every way to lose the answer of an accepted message, with every time at which its statuses may come. */
export const lostAnswers: readonly LostAnswer[] = Object.entries(tellings).flatMap(([telling, when]) =>
  losses.map(({ loss, effects, isLost }) => ({
    loss,
    telling: telling as Telling,
    effects: { ...effects, ...when },
    isLost,
  })),
)
