import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import type { Host } from '../command.ts'
import { wrongUsage } from '../exit-codes.ts'

/** Asks at the terminal; what is secret is not shown while it is typed. A script has the environment for it. */
export async function askSecret(question: string, { shown }: { shown: boolean }, host: Host): Promise<string> {
  const { stdin, stderr } = host
  if (!stdin.isTTY) throw wrongUsage('There is no terminal for a prompt: set POSTERN_API_KEY and POSTERN_API_SECRET.')
  stderr.write(question)
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() })
  const prompt = createInterface({ input: stdin, output: shown ? stderr : silent, terminal: true })
  try {
    return (await prompt.question('')).trim()
  } finally {
    prompt.close()
    if (!shown) stderr.write('\n')
  }
}
