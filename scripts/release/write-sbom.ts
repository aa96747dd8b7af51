import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import type { LockedPackage } from './locked-packages.ts'

export type Product = { name: string; version: string; license: string }
type Component = Record<string, unknown> & { 'bom-ref': string }

/**
 * What is inside a release, in the format of CycloneDX 1.6, from the lock file: equal builds give equal documents. Tools
 * such as `trivy sbom` or `grype` look up known vulnerabilities in it.
 */
export function writeSbom(file: string, product: Product, packages: readonly LockedPackage[]): void {
  const own = purl(product)
  const refs = new Map(packages.map((one) => [one.path, purl(one)]))
  const components = new Map<string, Component>(packages.map((one) => [purl(one), componentOf(one)]))
  const needed = new Map<string, Set<string>>()
  for (const { path, dependencies } of packages) {
    const ref = refs.get(path) ?? ''
    const all = needed.get(ref) ?? new Set()
    // The same version can lie at two places.
    needed.set(ref, all)
    for (const dependency of dependencies) all.add(refs.get(dependency) ?? '')
  }
  const transitive = new Set([...needed.values()].flatMap((all) => [...all]))
  const content = {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: {
      component: {
        type: 'application',
        'bom-ref': own,
        ...product,
        license: undefined,
        ...licences(product),
        purl: own,
      },
    },
    components: [...components.values()],
    dependencies: [
      { ref: own, dependsOn: [...components.keys()].filter((ref) => !transitive.has(ref)) },
      ...[...needed].map(([ref, all]) => ({ ref, dependsOn: [...all].sort() })),
    ],
  }
  const serialNumber = `urn:uuid:${uuidOf(JSON.stringify(content))}`
  writeFileSync(file, `${JSON.stringify({ ...content, serialNumber }, null, 2)}\n`)
}

function componentOf(one: LockedPackage): Component {
  const [name = '', scope] = one.name.split('/').reverse()
  const [algorithm, digest] = one.integrity?.split('-') ?? []
  const hashes = [{ alg: 'SHA-512', content: Buffer.from(digest ?? '', 'base64').toString('hex') }]
  return {
    type: 'library',
    'bom-ref': purl(one),
    ...(scope === undefined ? {} : { group: scope }),
    name,
    version: one.version,
    ...licences(one),
    purl: purl(one),
    ...(algorithm === 'sha512' ? { hashes } : {}),
  }
}

function licences({ license }: { license: string | null }): object {
  if (license === null) return {}
  return { licenses: [/ (OR|AND) /.test(license) ? { expression: license } : { license: { id: license } }] }
}

function purl({ name, version }: { name: string; version: string }): string {
  return `pkg:npm/${name.replace('@', '%40')}@${version}`
}

/** Of version 8: made from a hash. */
function uuidOf(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}
