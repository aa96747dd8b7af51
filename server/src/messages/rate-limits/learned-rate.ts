type Learned = { sendsPerSecond: number; at: number }

const onceMs = 5_000
const recoverEveryMs = 5_000
const recoverShare = 0.1

/**
 * The rate a number really has, learnt from the platform's refusals: a number in use with the WhatsApp Business app takes
 * 20 a second, and the platform does not always say so. A refusal halves the rate, and the refusals of five seconds count
 * once, so that one burst does not starve the sends that wait; a tenth of the nominal rate comes back every five seconds.
 * Each process learns for itself.
 */
export class LearnedRate {
  readonly #rates = new Map<string, Learned>()

  slowDown(numberId: string, nominal: number, now: number): void {
    const known = this.#rates.get(numberId)
    if (known && now - known.at < onceMs) return
    this.#rates.set(numberId, { sendsPerSecond: Math.max(1, this.of(numberId, nominal, now) / 2), at: now })
  }

  of(numberId: string, nominal: number, now: number): number {
    const known = this.#rates.get(numberId)
    if (!known) return nominal
    const recovered = Math.floor((now - known.at) / recoverEveryMs) * recoverShare * nominal
    const rate = known.sendsPerSecond + recovered
    if (rate < nominal) return rate
    this.#rates.delete(numberId)
    return nominal
  }
}
