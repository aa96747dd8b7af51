/**
 * Builds what is published, into dist/ (`--out` names another folder): `npm run build`. Running from a clone needs none
 * of this.
 */
import { mkdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { buildConsole } from './build-console.ts'
import { buildGateway } from './build-gateway.ts'
import { buildSdk } from './build-sdk.ts'
import { root } from './run-command.ts'
import { shippedPackages } from './shipped-packages.ts'
import { writeSbom } from './write-sbom.ts'
import { writeTarball } from './write-tarball.ts'

const { values: flags } = parseArgs({
  options: { out: { type: 'string', default: join(root, 'dist') } },
})
const out = resolve(flags.out)
const { version, license } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  version: string
  license: string
}

mkdirSync(out, { recursive: true })
await buildConsole({ ifNeeded: true })
await buildGateway(join(out, 'postern'))
await writeTarball(join(out, 'postern'), 'package', join(out, `postern-${version}.tgz`))
buildSdk(join(out, 'sdk'))
await writeTarball(join(out, 'sdk'), 'package', join(out, `postern-sdk-${version}.tgz`))
writeSbom(join(out, `postern-${version}.cdx.json`), { name: 'postern', version, license }, shippedPackages())
process.stderr.write(`built ${out}\n`)
