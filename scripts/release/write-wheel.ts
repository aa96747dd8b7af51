import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { crc32, deflateRawSync } from 'node:zlib'
import { root } from '../run-command.ts'

/**
 * The Python SDK as a wheel: a zip of its one file and what pip wants to know. Written here, so that a release needs no
 * Python. Returns the name of the file.
 */
export function writeWheel(out: string, product: { version: string; license: string }): string {
  const folder = join(root, 'sdk-python')
  const source = readFileSync(join(folder, 'postern.py'), 'utf8')
  const [, version] = /^__version__ = "([^"]+)"$/m.exec(source) ?? []
  if (version !== product.version)
    throw new Error(`sdk-python/postern.py has the version ${version}, not ${product.version}.`)
  const info = `postern-${version}.dist-info`
  const files = [
    ['postern.py', source],
    [`${info}/METADATA`, metadataOf(folder, product)],
    [`${info}/WHEEL`, 'Wheel-Version: 1.0\nGenerator: postern\nRoot-Is-Purelib: true\nTag: py3-none-any\n'],
    [`${info}/licenses/LICENSE`, readFileSync(join(root, 'LICENSE'), 'utf8')],
  ] as const
  const record = files.map(([name, text]) => {
    const hash = createHash('sha256').update(text).digest('base64url')
    return `${name},sha256=${hash},${Buffer.byteLength(text)}\n`
  })
  const name = `postern-${version}-py3-none-any.whl`
  writeFileSync(join(out, name), zip([...files, [`${info}/RECORD`, `${record.join('')}${info}/RECORD,,\n`]]))
  return name
}

function metadataOf(folder: string, { version, license }: { version: string; license: string }): string {
  const project = readFileSync(join(folder, 'pyproject.toml'), 'utf8')
  const fieldOf = (key: string) => new RegExp(`^${key} = "([^"]+)"$`, 'm').exec(project)?.[1] ?? ''
  return `Metadata-Version: 2.4
Name: ${fieldOf('name')}
Version: ${version}
Summary: ${fieldOf('description')}
License-Expression: ${license}
License-File: LICENSE
Requires-Python: ${fieldOf('requires-python')}
Description-Content-Type: text/markdown

${readFileSync(join(folder, 'README.md'), 'utf8')}`
}

/** The first day that a zip can name: equal files give equal bytes. */
const firstDay = 0x0021
const [localHeader, centralHeader, endOfCentral] = [0x04034b50, 0x02014b50, 0x06054b50]
const version20 = 20
const deflated = 8
const madeOnUnix = (3 << 8) | version20
const readable = 0o100644 << 16

function zip(files: readonly (readonly [name: string, text: string])[]): Buffer {
  const local: Buffer[] = []
  const central: Buffer[] = []
  let offset = 0
  for (const [path, text] of files) {
    const [name, content] = [Buffer.from(path), Buffer.from(text)]
    const packed = deflateRawSync(content, { level: 9 })
    const sizes = [crc32(content), packed.length, content.length]
    const own = [...shorts(version20, 0, deflated, 0, firstDay), ...longs(...sizes), ...shorts(name.length, 0)]
    const entry = Buffer.concat([Buffer.from([...longs(localHeader), ...own]), name, packed])
    local.push(entry)
    const more = [...shorts(0, 0, 0), ...longs(readable, offset)]
    central.push(Buffer.from([...longs(centralHeader), ...shorts(madeOnUnix), ...own, ...more]), name)
    offset += entry.length
  }
  const directory = Buffer.concat(central)
  const counts = shorts(0, 0, files.length, files.length)
  const end = Buffer.from([...longs(endOfCentral), ...counts, ...longs(directory.length, offset), ...shorts(0)])
  return Buffer.concat([...local, directory, end])
}

function shorts(...values: number[]): number[] {
  return values.flatMap((value) => [value & 0xff, (value >>> 8) & 0xff])
}

function longs(...values: number[]): number[] {
  return values.flatMap((value) => [value & 0xff, (value >>> 8) & 0xff, (value >>> 16) & 0xff, (value >>> 24) & 0xff])
}
