/**
 * One tarball per Linux architecture with its own Node: unpack it anywhere and run `bin/postern`. Nothing has to be
 * installed. Made for the architectures whose Node is in node_modules, which after `npm ci` is that of this machine.
 */
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../run-command.ts'
import { lockedPackages } from './locked-packages.ts'
import { shippedPackages } from './shipped-packages.ts'
import { type Product, writeSbom } from './write-sbom.ts'
import { writeTarball } from './write-tarball.ts'

const launcher = `#!/bin/sh
# Follows links, so that /usr/local/bin/postern may point here.
here=$(dirname "$(readlink -f "$0")")
exec "$here/node" "$here/../lib/cli/bin/postern.js" "$@"
`

/** Writes below `out` and returns the names of the files. */
export async function buildStandalone(out: string, product: Product): Promise<string[]> {
  const files = ['x64', 'arm64'].map(async (arch) => {
    const node = join('node_modules', `node-linux-${arch}`)
    return existsSync(join(root, node, 'bin', 'node')) ? [await packWithNode(out, product, arch, node)] : []
  })
  return (await Promise.all(files)).flat()
}

async function packWithNode(out: string, product: Product, arch: string, node: string): Promise<string> {
  const name = `${product.name}-${product.version}-linux-${arch}`
  const own = join(out, `.${name}`)
  mkdirSync(own, { recursive: true })
  try {
    writeFileSync(join(own, 'postern'), launcher, { mode: 0o755 })
    const inside = [...shippedPackages(), ...lockedPackages().filter(({ path }) => path === node)]
    writeSbom(join(own, 'components.cdx.json'), product, inside)
    await writeTarball(join(out, `${name}.tar.gz`), [
      [join(own, 'postern'), `${name}/bin/postern`],
      [join(root, node, 'bin', 'node'), `${name}/bin/node`],
      [join(root, node, 'LICENSE'), `${name}/LICENSE.node`],
      [join(root, 'LICENSE'), `${name}/LICENSE`],
      [join(own, 'components.cdx.json'), `${name}/components.cdx.json`],
      [join(out, 'postern'), `${name}/lib`],
    ])
  } finally {
    rmSync(own, { recursive: true, force: true })
  }
  return `${name}.tar.gz`
}
