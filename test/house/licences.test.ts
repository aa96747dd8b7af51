import { describe, expect, test } from 'vitest'
import { isAllowed, licenceProblems } from '../../scripts/release/check-licences.ts'
import { type LockedPackage, lockedPackages } from '../../scripts/release/locked-packages.ts'
import { shippedPackages } from '../../scripts/release/shipped-packages.ts'

const shipped = { shipped: true }
const tool = { shipped: false }

describe('the licence check', () => {
  test.each([
    ['MIT', true, true],
    ['(MIT OR CC0-1.0)', true, true],
    ['GPL-3.0-only OR Apache-2.0', true, true],
    ['MIT AND ISC', true, true],
    ['MPL-2.0', false, true],
    ['MIT AND GPL-3.0-only', false, false],
    ['(MIT OR GPL-3.0-only) AND ISC', false, false],
    ['GPL-3.0-only', false, false],
    ['SEE LICENSE IN LICENSE.txt', false, false],
    ['UNLICENSED', false, false],
    [null, false, false],
  ])('of %s allows it in a release: %s, as a tool: %s', (license, inRelease, asTool) => {
    expect([isAllowed(license, shipped), isAllowed(license, tool)]).toEqual([inRelease, asTool])
  })

  test('finds nothing in the lock file, and names the package when there is something', () => {
    const all = lockedPackages()
    expect(all.length).toBeGreaterThan(300)
    expect(licenceProblems(all, shippedPackages())).toEqual([])
    const bad: LockedPackage = { ...(all[0] as LockedPackage), path: 'node_modules/left', license: 'GPL-2.0-only' }
    expect(licenceProblems([...all, bad], [bad])).toEqual([expect.stringMatching(/^node_modules\/left@.*GPL-2.0-only/)])
  })

  test('counts as shipped what the server imports and what the console is built from, and no tools', () => {
    const names = shippedPackages().map(({ name }) => name)
    expect(names).toEqual(expect.arrayContaining(['fastify', 'modern-tar', 'ret', 'react-dom', 'scheduler', 'wouter']))
    expect(names.filter((name) => ['vite', 'vitest', 'typescript', 'lightningcss', 'pg-boss'].includes(name))).toEqual(
      [],
    )
  })
})
