import { AppError } from '../contract/app-error.ts'
import type { Runtime } from '../runtime.ts'

/** The parts of a send's time, as shares of POSTERN_SEND_TIMEOUT_MS: 3, 8, 9.2, 9.5, 9.75 and 1 of its 10 seconds. */
const rateShare = 0.3
const callShare = 0.8
const lostShare = 0.92
const answerShare = 0.95
const lateShare = 0.975
const callMinShare = 0.1

/** Deadlines of the parts of a send. Clients give up after 10 s, and a response after that is lost. */
export type SendDeadline = {
  /** Time left to wait for the rate limits of the number and the customer. */
  rateWaitMs(): number
  /** Time left for its files: after that, too little is left for the platform. */
  filesWaitMs(): number
  /** Time left for the platform's response. */
  callMs(): number
  /** Time left to wait for a lost response: its outcome is stored before a concurrent retry gives up. */
  lostWaitMs(): number
  /** Time left to wait for the first request with the same key, or for the store. */
  answerWaitMs(): number
  /** Until all of its time is over. */
  leftMs(): number
  /** Time of the response, even if the work isn't finished. */
  lateAnswerMs(): number
  /** The message the platform was called for. From then on its end is unknown until it is stored. */
  calledFor: string | null
}

/** `arrivedMs` is when the request came, by `performance.now()`. */
export function sendDeadline({ config }: Pick<Runtime, 'config'>, arrivedMs = performance.now()): SendDeadline {
  const { sendTimeoutMs } = config
  const until = (share: number) => arrivedMs + sendTimeoutMs * share - performance.now()
  const filesWaitMs = () => Math.max(0, until(callShare - callMinShare))
  return {
    filesWaitMs,
    rateWaitMs: () => Math.min(rateWaitMaxMs({ config }), filesWaitMs()),
    callMs: () => Math.max(1, until(callShare)),
    lostWaitMs: () => Math.max(0, until(lostShare)),
    answerWaitMs: () => Math.max(0, until(answerShare)),
    leftMs: () => until(1),
    lateAnswerMs: () => Math.max(0, until(lateShare)),
    calledFor: null,
  }
}

export function rateWaitMaxMs({ config }: Pick<Runtime, 'config'>): number {
  return config.sendTimeoutMs * rateShare
}

/** Maximum wait of a retry for the first request with its key. */
export function repeatWaitMaxMs({ config }: Pick<Runtime, 'config'>): number {
  return config.sendTimeoutMs * answerShare
}

/** A call that is cut off leaves an unknown outcome behind, so one that has too little time is not begun. */
export function requireTimeToCall(deadline: SendDeadline): void {
  if (deadline.filesWaitMs() > 0) return
  throw new AppError(
    'service_unavailable',
    'Too little time was left to call Meta when the request was ready to be sent. Nothing was sent.',
    { retryAfterSeconds: 1 },
  )
}
