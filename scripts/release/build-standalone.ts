/**
 * Per Linux architecture a tarball with its own Node, to unpack anywhere and run `bin/postern`, and a package for Debian.
 * Nothing else has to be installed.
 */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../run-command.ts'
import { deployFiles } from './deploy-files.ts'
import { nodeFor } from './fetch-node.ts'
import { lockedPackages } from './locked-packages.ts'
import { shippedPackages } from './shipped-packages.ts'
import { debName, writeDeb } from './write-deb.ts'
import { type Product, writeSbom } from './write-sbom.ts'
import { type Part, writeTarball } from './write-tarball.ts'

const launcher = `#!/bin/sh
# Follows links, so that /usr/local/bin/postern may point here.
here=$(dirname "$(readlink -f "$0")")
exec "$here/node" "$here/../lib/cli/bin/postern.js" "$@"
`

/** Writes below `out` and returns the names of the files. */
export async function buildStandalone(
  out: string,
  product: Product,
  architectures: readonly string[],
  level: number,
): Promise<string[]> {
  return (await Promise.all(architectures.map((arch) => packWithNode(out, product, arch, level)))).flat()
}

async function packWithNode(out: string, product: Product, arch: string, level: number): Promise<string[]> {
  const name = `${product.name}-${product.version}-linux-${arch}`
  const own = join(out, `.${name}`)
  mkdirSync(own, { recursive: true })
  try {
    const node = nodeFor(arch, own)
    writeFileSync(join(own, 'postern'), launcher, { mode: 0o755 })
    const inside = [
      ...shippedPackages(),
      ...lockedPackages().filter(({ path }) => path === `node_modules/node-linux-${arch}`),
    ]
    writeSbom(join(own, 'components.cdx.json'), product, inside)
    const parts: Part[] = [
      [join(own, 'postern'), 'bin/postern'],
      [join(node, 'bin', 'node'), 'bin/node'],
      [join(node, 'LICENSE'), 'LICENSE.node'],
      [join(root, 'LICENSE'), 'LICENSE'],
      [join(own, 'components.cdx.json'), 'components.cdx.json'],
      [join(out, 'postern'), 'lib'],
      ...deployFiles('.').map(([source, target]): Part => [source, target.replace('./', '')]),
    ]
    const below = parts.map(([source, target]): Part => [source, `${name}/${target}`])
    const [tarball, deb] = [`${name}.tar.gz`, debName(product, arch)]
    await writeTarball(join(out, tarball), below, level)
    await writeDeb(join(out, deb), product, arch, parts, level)
    return [tarball, deb]
  } finally {
    rmSync(own, { recursive: true, force: true })
  }
}
