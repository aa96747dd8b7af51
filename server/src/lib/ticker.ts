export type Ticker<Question, Answer> = { ask(question: Question): Promise<Answer> }

type Waiting<Question, Answer> = { question: Question; resolve(answer: Answer): void; reject(error: unknown): void }

/** Questions of the same moment are answered together; those that come while an answer is on its way wait for the next. */
export function createTicker<Question, Answer>(
  answerAll: (questions: readonly Question[]) => Promise<Answer[]>,
): Ticker<Question, Answer> {
  let waiting: Waiting<Question, Answer>[] = []
  let busy = false

  return {
    ask: (question) =>
      new Promise((resolve, reject) => {
        waiting.push({ question, resolve, reject })
        if (!busy) {
          busy = true
          setImmediate(() => void tick())
        }
      }),
  }

  async function tick(): Promise<void> {
    const batch = waiting
    waiting = []
    try {
      const answers = await answerAll(batch.map(({ question }) => question))
      for (const [index, { resolve }] of batch.entries()) resolve(answers[index] as Answer)
    } catch (error) {
      for (const { reject } of batch) reject(error)
    }
    if (waiting.length > 0) setImmediate(() => void tick())
    else busy = false
  }
}
