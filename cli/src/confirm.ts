import { createInterface } from 'node:readline/promises'
import type { Host } from './command.ts'
import { CommandFailure, wrongUsage } from './exit-codes.ts'

/** A person at a terminal types the word; a script says --yes. */
export async function confirmByTyping(
  { warning, word }: { warning: string; word: string },
  { stdin, stderr }: Host,
): Promise<void> {
  if (!stdin.isTTY) throw wrongUsage(`${warning} There is no terminal for the confirmation: add --yes.`)
  const prompt = createInterface({ input: stdin, output: stderr })
  try {
    const typed = await prompt.question(`${warning}\nType ${word} to continue: `)
    if (typed.trim() !== word) throw new CommandFailure('Nothing was changed.')
  } finally {
    prompt.close()
  }
}
