import { expect, test } from 'vitest'
import type { Schemas } from '../../../api.ts'
import { namedTemplates } from './named-templates.ts'

type Listed = Schemas['ListedTemplate']

function listed(name: string, language: string, change: Partial<Listed> = {}): Listed {
  const week = { sent: 0, delivered: 0, read: 0, failed: 0 }
  const template = { id: `tpl_${name}_${language}`, name, language, status: 'approved', last_used_at: null }
  return { ...template, last_7_days: week, ...change } as Listed
}

test('languages of a name are one row, and a name with a rejected language stands first', () => {
  const [first, second, ...more] = namedTemplates([
    listed('order', 'en', {
      last_7_days: { sent: 2, delivered: 2, read: 1, failed: 0 },
      last_used_at: '2026-11-02T00:00:00.000Z',
    }),
    listed('order', 'pt', {
      last_7_days: { sent: 9, delivered: 8, read: 8, failed: 1 },
      last_used_at: '2026-11-01T00:00:00.000Z',
    }),
    listed('zebra', 'en'),
    listed('zebra', 'pt', { status: 'rejected' }),
  ])
  expect(first).toMatchObject({
    name: 'zebra',
    shown: { language: 'pt' },
    sent: 0,
    readPercent: null,
    lastUsedAt: null,
  })
  expect(second).toMatchObject({ name: 'order', shown: { language: 'pt' }, sent: 11, readPercent: 90 })
  expect(second?.lastUsedAt).toBe('2026-11-02T00:00:00.000Z')
  expect(more).toEqual([])
})
