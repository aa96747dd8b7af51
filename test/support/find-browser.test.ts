import { describe, expect, test } from 'vitest'
import { findBrowser, type Machine } from './find-browser.ts'

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
