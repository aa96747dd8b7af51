import { readFileSync } from 'node:fs'
import type { Flags } from './command.ts'
import { wrongUsage } from './exit-codes.ts'
import { requiredFlag } from './read-flags.ts'

/** The JSON object in the file that `--file` names; `-` is standard input. */
export function jsonFile(flags: Flags, example: string): Record<string, unknown> {
  const file = requiredFlag(flags, 'file', example)
  const text = readText(file)
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>
  } catch {
    // The sentence below says it.
  }
  throw wrongUsage(`--file: ${file === '-' ? 'standard input' : file} holds no JSON object.`)
}

function readText(file: string): string {
  try {
    return readFileSync(file === '-' ? 0 : file, 'utf8')
  } catch {
    throw wrongUsage(`--file: ${file} cannot be read.`)
  }
}
