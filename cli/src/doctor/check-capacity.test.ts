import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { loadConfig } from '../../../server/src/config/config.ts'
import type { Store } from '../../../server/src/store/engine/store.ts'
import { projectedBytes } from './check-data.ts'

const page = readFileSync(join(import.meta.dirname, '../../../docs/capacity.md'), 'utf8')

test.each([
  [1, 86_400],
  [10, 864_000],
])('projects what the table of docs/capacity.md says for %s a second', (rate, perDay) => {
  const cells =
    page
      .split('\n')
      .find((line) => line.startsWith(`| ${rate} | ${perDay.toLocaleString('en')} |`))
      ?.split('|')
      .map((cell) => cell.trim()) ?? []
  const projected = (shared: boolean, days: string) => {
    const { config } = loadConfig({ env: { POSTERN_RETENTION_METADATA_DAYS: days }, terminal: false })
    const bytes = projectedBytes(perDay, { config, store: { shared } as Store })
    return `${Math.round(bytes / 1e9)} GB`
  }
  const computed = [projected(true, '90'), projected(true, '400'), projected(false, '90'), projected(false, '400')]
  expect(computed).toEqual(cells.slice(3, 7))
})
