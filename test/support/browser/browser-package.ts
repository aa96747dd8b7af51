import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import { createRequire } from 'node:module'
import os from 'node:os'
import path from 'node:path'
import type { Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import zlib from 'node:zlib'
import type { BrowserProgram } from './browser.ts'

const require = createRequire(import.meta.url)

type TarFs = { extract(folder: string, options: { chown: boolean }): Writable }

/**
 * Unpacks @sparticuz/chromium once per version (206 MB, 2 to 3 s). Its own unpacking goes to one folder in /tmp for all
 * versions and all users, and its flags run everything in a single process, which leaks storage between contexts.
 */
export async function unpackChromium(packageFolder: string): Promise<BrowserProgram> {
  const { version } = JSON.parse(fs.readFileSync(path.join(packageFolder, 'package.json'), 'utf8')) as {
    version: string
  }
  const folder = path.join(packageFolder, '../..', '.cache', `chromium-${version}`)
  if (!fs.existsSync(folder)) await unpack(packageFolder, folder)
  const executablePath = path.join(folder, 'chromium')
  const env = { FONTCONFIG_FILE: path.join(folder, 'fonts.conf'), ...libraryPath(executablePath, folder) }
  return { executablePath, env }
}

/** The folder of the package, null when it is not installed. It exports no package.json, so the search goes upwards. */
export function findChromiumPackage(): string | null {
  let folder: string
  try {
    folder = path.dirname(require.resolve('@sparticuz/chromium'))
  } catch {
    return null
  }
  while (!fs.existsSync(path.join(folder, 'bin/chromium.br'))) folder = path.dirname(folder)
  return folder
}

/** Into a folder beside it that is renamed when complete: two runs may do this at once, and one may be killed. */
async function unpack(root: string, folder: string): Promise<void> {
  const tar = createRequire(path.join(root, 'package.json'))('tar-fs') as TarFs
  fs.mkdirSync(path.dirname(folder), { recursive: true })
  const partial = fs.mkdtempSync(`${folder}.`)
  const extract = (archive: string, target: Writable) =>
    pipeline(fs.createReadStream(path.join(root, 'bin', archive)), zlib.createBrotliDecompress(), target)
  const into = (name: string) => tar.extract(path.join(partial, name), { chown: false })
  await Promise.all([
    extract('chromium.br', fs.createWriteStream(path.join(partial, 'chromium'), { mode: 0o755 })),
    extract('swiftshader.tar.br', into('.')),
    extract('al2023.tar.br', into('.')),
    extract('fonts.tar.br', into('fonts')),
  ])
  fs.writeFileSync(path.join(partial, 'fonts.conf'), fontsConf(path.join(folder, 'fonts')))
  try {
    fs.renameSync(partial, folder)
  } catch {
    fs.rmSync(partial, { recursive: true, force: true })
  }
}

/** Without any font a page crashes at its first text; fontconfig wants absolute folders. */
function fontsConf(fonts: string): string {
  const cache = path.join(os.tmpdir(), 'postern-fontcache')
  return `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>${fonts}</dir>
  <dir>/usr/share/fonts</dir>
  <cachedir>${cache}</cachedir>
</fontconfig>
`
}

/** NSS, NSPR and expat are missing on a bare Debian and come in the package; they need glibc 2.34. */
function libraryPath(executablePath: string, folder: string): { LD_LIBRARY_PATH?: string } {
  const { stdout } = spawnSync('ldd', [executablePath], { encoding: 'utf8' })
  if (stdout !== null && !stdout.includes('not found')) return {}
  const present = process.env.LD_LIBRARY_PATH
  return { LD_LIBRARY_PATH: [path.join(folder, 'lib'), ...(present ? [present] : [])].join(':') }
}
