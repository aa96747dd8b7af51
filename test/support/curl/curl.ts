import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'

let made: string | null = null

/** A PATH with a curl on it: the machine's own, or `curl-stand-in.ts` where there is none. */
export function pathWithCurl(): string {
  const path = process.env.PATH ?? ''
  return hasCurl() ? path : `${standInFolder()}${delimiter}${path}`
}

export function hasCurl(): boolean {
  return spawnSync('curl', ['--version'], { stdio: 'ignore' }).status === 0
}

/** A folder that holds the stand-in under the name of curl. */
export function standInFolder(): string {
  if (made !== null) return made
  const folder = mkdtempSync(join(tmpdir(), 'postern-curl-'))
  const script = join(import.meta.dirname, 'curl-stand-in.ts')
  writeFileSync(join(folder, 'curl'), `#!/bin/sh\nexec '${process.execPath}' '${script}' "$@"\n`, { mode: 0o755 })
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  made = folder
  return folder
}
