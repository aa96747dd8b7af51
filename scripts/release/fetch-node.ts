import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { npm, root } from '../run-command.ts'
import { lockedPackages } from './locked-packages.ts'

/**
 * The folder with the Node of an architecture: that of this machine came with `npm ci`; another one is fetched, must have
 * the hash of the lock file, and goes into `folder`.
 */
export function nodeFor(arch: string, folder: string): string {
  const name = `node-linux-${arch}`
  const installed = join(root, 'node_modules', name)
  if (existsSync(join(installed, 'bin', 'node'))) return installed
  const locked = lockedPackages().find(({ path }) => path === `node_modules/${name}`)
  if (!locked) throw new Error(`${name} is not in package-lock.json.`)
  const downloads = mkdtempSync(join(tmpdir(), 'postern-node-'))
  try {
    const { program, args } = npm('pack', `${name}@${locked.version}`, '--pack-destination', downloads)
    execFileSync(program, args, { cwd: root, stdio: 'ignore' })
    const file = join(downloads, readdirSync(downloads)[0] ?? '')
    const found = `sha512-${createHash('sha512').update(readFileSync(file)).digest('base64')}`
    if (found !== locked.integrity) throw new Error(`${name} is another file than package-lock.json names.`)
    execFileSync('tar', ['-xzf', file, '-C', folder, 'package/bin/node', 'package/LICENSE'])
    return join(folder, 'package')
  } finally {
    rmSync(downloads, { recursive: true })
  }
}
