import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../child-process.ts'

/**
 * Builds `play.go` with this module in a folder; null where Go or the module cannot be had. GO_CLIENT_SOURCE is a copy of
 * the module where no proxy has it.
 */
export function goProgram(name: string, version: string, folder: string): string | null {
  mkdirSync(folder)
  copyFileSync(join(root, 'test/support/clients/play.go'), join(folder, 'main.go'))
  const source = process.env.GO_CLIENT_SOURCE
  const module = source
    ? ['-require', `${name}@v0.0.0`, '-replace', `${name}=${source}`]
    : ['-require', `${name}@${version}`]
  const steps = [
    ['mod', 'init', 'play'],
    ['mod', 'edit', ...module],
    ['mod', 'tidy'],
    ['build', '-o', 'play', '.'],
  ]
  const built = steps.every((step) => spawnSync('go', step, { cwd: folder }).status === 0)
  return built ? join(folder, 'play') : null
}
