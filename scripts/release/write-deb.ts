import { createHash } from 'node:crypto'
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { packTar } from 'modern-tar'
import { root } from '../run-command.ts'
import type { Product } from './write-sbom.ts'
import { filesOf, mtime, type Part } from './write-tarball.ts'

/** Debian's names of the architectures. */
const architectures: Readonly<Record<string, string>> = { x64: 'amd64', arm64: 'arm64' }

const unit = 'usr/lib/systemd/system/postern.service'
const settings = 'etc/postern/postern.env'

/**
 * A package for Debian and Ubuntu: the program with its own Node in /opt/postern, the command, the unit, and the settings,
 * which an upgrade leaves as they were edited. Written here, so that a release needs no tools of Debian.
 */
export async function writeDeb(
  file: string,
  product: Product,
  arch: string,
  parts: readonly Part[],
  level: number,
): Promise<void> {
  const systemd = join(root, 'deploy', 'systemd')
  const files = [
    ...parts.flatMap(filesOf).map(([source, target]) => [source, `opt/postern/${target}`] as const),
    [join(systemd, 'postern-command.sh'), 'usr/bin/postern'] as const,
    [join(systemd, 'postern.service'), unit] as const,
    [join(systemd, 'postern.env'), settings] as const,
    [join(root, 'LICENSE'), 'usr/share/doc/postern/copyright'] as const,
  ].map(([source, target]) => ({ target, content: readFileSync(source), mode: modeOf(source, target) }))
  const kilobytes = Math.ceil(files.reduce((sum, { content }) => sum + content.length, 0) / 1024)
  const sums = files.map(({ target, content }) => `${createHash('md5').update(content).digest('hex')}  ${target}\n`)
  const control = [
    { target: 'control', content: controlOf(product, architectures[arch] ?? arch, kilobytes), mode: 0o644 },
    { target: 'conffiles', content: `/${settings}\n`, mode: 0o644 },
    { target: 'md5sums', content: sums.join(''), mode: 0o644 },
    ...Object.entries(scripts).map(([target, content]) => ({ target, content, mode: 0o755 })),
  ]
  writeFileSync(
    file,
    archive([
      ['debian-binary', Buffer.from('2.0\n')],
      ['control.tar.gz', await tarball(control, level)],
      ['data.tar.gz', await tarball(files, level)],
    ]),
  )
}

/** The name of the file, as Debian's tools write it. */
export function debName({ name, version }: Product, arch: string): string {
  return `${name}_${version}_${architectures[arch] ?? arch}.deb`
}

function modeOf(source: string, target: string): number {
  // Settings may contain the password of a database.
  if (target === settings) return 0o640
  const isProgram = target === 'usr/bin/postern' || (statSync(source).mode & 0o111) !== 0
  return isProgram ? 0o755 : 0o644
}

function controlOf({ name, version }: Product, arch: string, kilobytes: number): string {
  return `Package: ${name}
Version: ${version}
Section: net
Priority: optional
Architecture: ${arch}
Installed-Size: ${kilobytes}
Depends: libc6 (>= 2.28), libstdc++6, passwd, util-linux
Maintainer: Postern contributors
Description: gateway for the WhatsApp Business Cloud API
 Sends and receives WhatsApp messages for your own software, with a console,
 signed webhooks and a sandbox. Runs on SQLite or PostgreSQL.
`
}

/** The service is not started at installation: it needs its public address first. Data and keys are never removed. */
const scripts = {
  postinst: `#!/bin/sh
set -e
[ "$1" = configure ] || exit 0
getent passwd postern > /dev/null ||
  useradd --system --user-group --home-dir /var/lib/postern --shell /usr/sbin/nologin postern
chown root:postern /etc/postern /etc/postern/postern.env
chmod 0750 /etc/postern
if [ ! -e /etc/postern/master.key ]; then
  (umask 0027 && head -c 32 /dev/urandom | od -An -v -tx1 | tr -d ' \\n' > /etc/postern/master.key)
  chown root:postern /etc/postern/master.key
fi
if [ -d /run/systemd/system ]; then
  systemctl daemon-reload
  systemctl try-restart postern
fi
if [ -z "$2" ]; then
  echo 'Postern: set POSTERN_BASE_URL in /etc/postern/postern.env, then run: systemctl enable --now postern && postern setup-link'
  echo 'To try it first with the sandbox, run as any user: postern serve'
fi
`,
  prerm: `#!/bin/sh
set -e
if [ "$1" = remove ] && [ -d /run/systemd/system ]; then
  systemctl disable --now postern || true
fi
`,
  postrm: `#!/bin/sh
set -e
if [ -d /run/systemd/system ]; then
  systemctl daemon-reload
fi
if [ "$1" = purge ]; then
  echo 'Postern: your data is still in /var/lib/postern, and its key in /etc/postern/master.key.'
fi
`,
} as const

type Entry = { readonly target: string; readonly content: string | Uint8Array; readonly mode: number }

/** dpkg makes no folder that the archive does not name. */
async function tarball(entries: readonly Entry[], level: number): Promise<Buffer> {
  const folders = new Set(['.'])
  for (const { target } of entries) {
    for (let folder = dirname(target); folder !== '.'; folder = dirname(folder)) folders.add(folder)
  }
  const own = { mtime, uid: 0, gid: 0, uname: 'root', gname: 'root' }
  const packed = await packTar([
    ...[...folders].sort().map((folder) => {
      const name = folder === '.' ? './' : `./${folder}/`
      return { header: { name, type: 'directory' as const, size: 0, mode: 0o755, ...own } }
    }),
    ...entries.map(({ target, content, mode }) => {
      const body = typeof content === 'string' ? Buffer.from(content) : content
      return { header: { name: `./${target}`, size: body.length, mode, ...own }, body }
    }),
  ])
  return gzipSync(packed, { level })
}

/** The format of `ar`: a header of 60 characters before each file, which begins at an even place. */
function archive(files: readonly (readonly [name: string, content: Buffer])[]): Buffer {
  const parts = files.flatMap(([name, content]) => {
    const [time, owner] = [String(mtime.getTime() / 1000).padEnd(12), '0'.padEnd(6)]
    const header = `${name.padEnd(16)}${time}${owner}${owner}${'100644'.padEnd(8)}${String(content.length).padEnd(10)}\`\n`
    return [Buffer.from(header), content, ...(content.length % 2 === 0 ? [] : [Buffer.from('\n')])]
  })
  return Buffer.concat([Buffer.from('!<arch>\n'), ...parts])
}
