/**
 * Every package in the lock file has a licence that we may use it under: `npm run check`. Reads only the lock file, so
 * it works without a network. Known vulnerabilities need one: `npm run audit`.
 */
import { type LockedPackage, lockedPackages } from './locked-packages.ts'
import { shippedPackages } from './shipped-packages.ts'

/** Ask for no more than that their text is kept. */
const permissive = [
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BlueOak-1.0.0',
  'CC0-1.0',
  'ISC',
  'MIT',
  // MIT without the duty to name its authors.
  'MIT-0',
  'Unlicense',
]
/** Bind distributors of the package, which we are not: it runs here and is in no release. */
const forTools = [...permissive, 'MPL-2.0', 'Python-2.0']

/** `MIT OR GPL-2.0-only` leaves the choice to us, `MIT AND GPL-2.0-only` does not. */
export function isAllowed(license: string | null, { shipped }: { shipped: boolean }): boolean {
  const allowed = shipped ? permissive : forTools
  const terms = (license ?? '').replaceAll(/[()]/g, '').split(' OR ')
  // With parentheses around parts the order of AND and OR would matter: a person has to read such a licence.
  if (terms.length > 1 && terms.some((term) => term.includes(' AND '))) return false
  return terms.some((term) => term.split(' AND ').every((id) => allowed.includes(id)))
}

export function licenceProblems(packages: readonly LockedPackage[], shipped: readonly LockedPackage[]): string[] {
  const paths = new Set(shipped.map(({ path }) => path))
  return packages
    .filter(({ path, license }) => !isAllowed(license, { shipped: paths.has(path) }))
    .map(({ path, version, license }) => {
      const place = paths.has(path) ? 'in a release' : 'among the tools'
      return `${path}@${version}: the licence ${license ?? '(none named)'} is not allowed ${place}`
    })
}

if (import.meta.main) {
  const problems = licenceProblems(lockedPackages(), shippedPackages())
  for (const problem of problems) process.stderr.write(`${problem}\n`)
  if (problems.length > 0) {
    process.stderr.write(
      'Choose another package, or allow the licence in scripts/release/check-licences.ts with a reason.\n',
    )
    process.exitCode = 1
  }
}
