import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { wrongUsage } from '../exit-codes.ts'

/** Asks at the terminal; what is secret is not shown while it is typed. A script has the environment for it. */
export async function askSecret(question: string, { shown }: { shown: boolean }): Promise<string> {
  if (!process.stdin.isTTY)
    throw wrongUsage('There is no terminal to ask on: set POSTERN_API_KEY and POSTERN_API_SECRET.')
  process.stderr.write(question)
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() })
  const prompt = createInterface({ input: process.stdin, output: shown ? process.stderr : silent, terminal: true })
  try {
    return (await prompt.question('')).trim()
  } finally {
    prompt.close()
    if (!shown) process.stderr.write('\n')
  }
}
