import { describe, expect, test } from 'vitest'
import { findBrowser, type Machine, withoutBrowser } from './find-browser.ts'

const bare: Machine = { named: undefined, installed: ['/a', '/b'], packageFolder: null, runs: () => false }

describe('the choice of a browser', () => {
  test('CHROMIUM_PATH wins over everything', () => {
    const machine = { ...bare, named: '/opt/chromium', packageFolder: '/package', runs: () => true }
    expect(findBrowser(machine)).toEqual({ executablePath: '/opt/chromium' })
  })

  test('the first installed browser that runs is taken before the one of npm', () => {
    const machine = { ...bare, packageFolder: '/package', runs: (program: string) => program === '/b' }
    expect(findBrowser(machine)).toEqual({ executablePath: '/b' })
  })

  test('where none is installed, the one of npm is taken', () => {
    expect(findBrowser({ ...bare, packageFolder: '/package' })).toEqual({ packageFolder: '/package' })
  })

  test('a machine without any gets none', () => {
    expect(findBrowser(bare)).toBeNull()
  })
})

describe('npm test without a browser', () => {
  test.each([
    ['installs one in continuous integration as root on Debian', true, true, true, 'install'],
    ['fails in continuous integration that may not install', true, false, true, 'fail'],
    ['fails in continuous integration on another system', true, true, false, 'fail'],
    ['leaves the stories out on the machine of a developer, and installs nothing there', false, true, true, 'skip'],
  ])('%s', (_name, isCi, isRoot, isDebian, expected) => {
    expect(withoutBrowser({ isCi, isRoot, isDebian })).toBe(expected)
  })
})
