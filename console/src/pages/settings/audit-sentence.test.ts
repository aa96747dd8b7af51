import { describe, expect, test } from 'vitest'
import { auditSentence } from './audit-sentence.ts'

const ana = { name: 'Ana Sousa' }

describe('a line of the audit log', () => {
  test('is a sentence', () => {
    const targets = [{ type: 'api_key', name: 'Reporting' }]
    expect(auditSentence({ action: 'api_key.revoked', actor: ana, targets, metadata: {} })).toBe(
      'Ana Sousa revoked API key Reporting',
    )
  })

  test('says what changed into what', () => {
    const entry = { action: 'account.plan_changed', actor: ana, targets: [], metadata: { from: 'free', to: 'starter' } }
    expect(auditSentence(entry)).toBe('Ana Sousa changed the plan from free to starter')
  })

  test('shows an action it does not know by its name, and a name with braces as it is', () => {
    const targets = [{ type: 'x', name: '{to} <b>' }]
    expect(auditSentence({ action: 'thing.done', actor: ana, targets, metadata: {} })).toBe(
      'Ana Sousa thing.done {to} <b>',
    )
  })
})
