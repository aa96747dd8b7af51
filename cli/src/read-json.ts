import { readFileSync } from 'node:fs'
import { JsonProblem, parseStrictJson } from '@postern/server/bodies.ts'
import type { Flags } from './command.ts'
import { wrongUsage } from './exit-codes.ts'
import { requiredFlag } from './read-flags.ts'

/** The JSON object in the file that `--file` names, read as the gateway reads a body; `-` is standard input. */
export function jsonFile(flags: Flags, example: string): Record<string, unknown> {
  const file = requiredFlag(flags, 'file', example)
  const bytes = readBytes(file)
  try {
    return parseStrictJson(bytes)
  } catch (error) {
    if (!(error instanceof JsonProblem)) throw error
    throw wrongUsage(`--file: ${file === '-' ? 'standard input' : file}: ${error.message}`)
  }
}

function readBytes(file: string): Uint8Array {
  try {
    return readFileSync(file === '-' ? 0 : file)
  } catch {
    throw wrongUsage(`--file: ${file} cannot be read.`)
  }
}
