/**
 * Builds what is published, into dist/ (`--out` names another folder): `npm run build`. Running from a clone needs none
 * of this. docs/releasing.md says what each file is for.
 */
import { createHash } from 'node:crypto'
import { cpSync, createReadStream, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { parseArgs } from 'node:util'
import { buildConsole } from './build-console.ts'
import { buildDocs } from './build-docs.ts'
import { buildSdk } from './build-sdk.ts'
import { buildGateway } from './release/build-gateway.ts'
import { buildStandalone } from './release/build-standalone.ts'
import { deployFiles } from './release/deploy-files.ts'
import { releaseNotes } from './release/release-notes.ts'
import { shippedPackages } from './release/shipped-packages.ts'
import { writeSbom } from './release/write-sbom.ts'
import { writeTarball } from './release/write-tarball.ts'
import { writeWheel } from './release/write-wheel.ts'
import { root } from './run-command.ts'

const { values: flags } = parseArgs({
  options: {
    out: { type: 'string', default: join(root, 'dist') },
    // `--arch x64,arm64` makes both tarballs; the Node of the other one is fetched.
    arch: { type: 'string', default: process.arch },
    // How hard gzip tries, 1 to 9; 0 only wraps.
    level: { type: 'string', default: '6' },
    // Images of the container, by digest: see scripts/release/check-images.ts.
    'node-image': { type: 'string' },
    'base-image': { type: 'string' },
  },
})
const out = resolve(flags.out)
const level = Number(flags.level)
const { version, license } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  version: string
  license: string
}
const product = { name: 'postern', version, license }

mkdirSync(out, { recursive: true })
// Files of an older version must not be published with this one.
for (const name of readdirSync(out)) {
  if (/^(postern([-_].*)?|sdk|container|SHA256SUMS|release-notes\.md)$/.test(name))
    rmSync(join(out, name), { recursive: true })
}
await buildConsole({ ifNeeded: true })
buildDocs()
await buildGateway(join(out, 'postern'))
buildSdk(join(out, 'sdk'))
buildContainerContext()
const [gateway, sdk, components, container] = [
  `postern-${version}.tgz`,
  `postern-sdk-${version}.tgz`,
  `postern-${version}.cdx.json`,
  `postern-${version}-container.tar.gz`,
]
const [standalone] = await Promise.all([
  buildStandalone(out, product, flags.arch.split(','), level),
  writeTarball(join(out, gateway), [[join(out, 'postern'), 'package'], ...deployFiles('package')], level),
  writeTarball(join(out, sdk), [[join(out, 'sdk'), 'package']], level),
  writeTarball(join(out, container), [[join(out, 'container'), 'container']], level),
])
writeSbom(join(out, components), product, shippedPackages())
const wheel = writeWheel(out, product)
writeFileSync(join(out, 'release-notes.md'), releaseNotes(version))
await writeChecksums([gateway, sdk, components, container, wheel, ...standalone])
process.stderr.write(`built ${out}\n`)

/** `docker build dist/container` needs nothing else: no registry of packages, no compiler. */
function buildContainerContext(): void {
  mkdirSync(join(out, 'container'), { recursive: true })
  const images = { NODE_IMAGE: flags['node-image'], BASE_IMAGE: flags['base-image'] }
  const dockerfile = readFileSync(join(root, 'deploy', 'Dockerfile'), 'utf8')
  writeFileSync(join(out, 'container', 'Dockerfile'), withImages(dockerfile, images))
  cpSync(join(out, 'postern'), join(out, 'container', 'postern'), { recursive: true })
}

function withImages(dockerfile: string, images: Readonly<Record<string, string | undefined>>): string {
  return dockerfile.replace(/^ARG (\w+_IMAGE)=.*$/gm, (line, name: string) =>
    images[name] === undefined ? line : `ARG ${name}=${images[name]}`,
  )
}

/** As `sha256sum --check` reads it. */
async function writeChecksums(files: readonly string[]): Promise<void> {
  const lines = files.map(async (file) => {
    const hash = createHash('sha256')
    await pipeline(createReadStream(join(out, file)), hash)
    return `${hash.digest('hex')}  ${file}\n`
  })
  writeFileSync(join(out, 'SHA256SUMS'), (await Promise.all(lines)).sort().join(''))
}
