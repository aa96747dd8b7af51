import { describe, expect, test } from 'vitest'
import { manualClock } from '../../lib/clock.ts'
import { dayMs } from '../../lib/durations.ts'
import type { PlatformTemplate } from '../../platform/outbound-message.ts'
import { newTemplate, type StoredTemplate } from '../stored-template.ts'
import { applyReport, asEdit, mergeListed } from './merge-listed.ts'

const now = Date.UTC(2026, 10, 15)
const saying = (text: string) => ({
  name: 'order_ready',
  language: 'en_US',
  category: 'utility' as const,
  parameter_format: 'positional' as const,
  components: [{ type: 'body' as const, text }],
  variables: [],
})
const owner = { id: 'tpl_1', account_id: 'acc_1', channel_id: 'chn_1', channel_kind: 'cloud', source: 'api' } as const
const approved: StoredTemplate = { ...newTemplate(saying('Old words.'), owner, now), status: 'approved' }
const edited: StoredTemplate = { ...approved, pending_edit: asEdit(saying('New words.'), now) }

const shown = ({ status, status_reason, components, pending_edit }: StoredTemplate) => ({
  status,
  reason: status_reason?.code ?? null,
  text: (components[0] as { text: string }).text,
  edit: pending_edit && (pending_edit.components[0] as { text: string }).text,
})
const inUse = { status: 'approved', reason: null, text: 'Old words.', edit: 'New words.' }

describe('an approved template with an edit under review, after a report of the platform,', () => {
  const report = (status: string, more: object = {}) => shown(applyReport(edited, { status, at: now, ...more }))

  test('stays in use while the platform calls it pending', () => {
    expect(report('PENDING')).toEqual(inUse)
    expect(shown(applyReport(approved, { status: 'PENDING', at: now }))).toEqual({ ...inUse, edit: 'Old words.' })
  })

  test('has the new words when they are approved', () => {
    expect(report('APPROVED')).toEqual({ ...inUse, text: 'New words.', edit: null })
  })

  test('is rejected with the new words and the reason when the review fails', () => {
    const rejected = { status: 'rejected', reason: 'scam', text: 'New words.', edit: null }
    expect(report('REJECTED', { reason: 'SCAM' })).toEqual(rejected)
  })

  test.each([
    ['FLAGGED', 'approved', 'flagged'],
    ['LOCKED', 'approved', null],
    ['REINSTATED', 'approved', null],
    ['PAUSED', 'paused', 'paused'],
    ['ARCHIVED', 'archived', null],
  ])('keeps the edit when %s says nothing about it', (word, status, reason) => {
    expect(report(word)).toEqual({ ...inUse, status, reason })
  })

  test('takes the end of a pause for no verdict', () => {
    const paused = applyReport(edited, { status: 'PAUSED', at: now, title: 'FIRST_PAUSE' })
    expect(shown(applyReport(paused, { status: 'APPROVED', at: now, title: 'UNPAUSE' }))).toEqual(inUse)
  })

  test.each(['DISABLED', 'DELETED'])('loses the edit with itself when it is %s', (word) => {
    expect(report(word)).toMatchObject({ text: 'Old words.', edit: null })
  })
})

describe('an approved template, after the list of the platform,', () => {
  const listed = (status: string, text: string): PlatformTemplate => ({
    templateId: '123',
    category: 'utility',
    status,
    rejectedReason: status === 'REJECTED' ? 'SCAM' : 'NONE',
    quality: null,
    content: saying(text),
  })
  const after = (own: StoredTemplate, status: string, text: string, at = now) =>
    shown(mergeListed({ clock: manualClock(at) }, own, listed(status, text)))

  test('stays in use while its edit is listed as pending, with either words', () => {
    expect(after(edited, 'PENDING', 'New words.')).toEqual(inUse)
    expect(after(edited, 'PENDING', 'Old words.')).toEqual(inUse)
  })

  test('stays in use when it was edited elsewhere', () => {
    expect(after(approved, 'PENDING', 'New words.')).toEqual(inUse)
    expect(after(edited, 'PENDING', 'Third words.')).toEqual({ ...inUse, edit: 'Third words.' })
  })

  test('has the words that are listed as approved', () => {
    expect(after(edited, 'APPROVED', 'New words.')).toEqual({ ...inUse, text: 'New words.', edit: null })
    expect(after(edited, 'APPROVED', 'Third words.')).toEqual({ ...inUse, text: 'Third words.', edit: null })
    expect(after(approved, 'APPROVED', 'New words.')).toEqual({ ...inUse, text: 'New words.', edit: null })
  })

  test('waits two days for an edit while the list goes on with the approved words, then gives it up', () => {
    expect(after(edited, 'APPROVED', 'Old words.', now + 2 * dayMs - 1)).toEqual(inUse)
    expect(after(edited, 'APPROVED', 'Old words.', now + 2 * dayMs)).toEqual({ ...inUse, edit: null })
  })

  test('is rejected with the words that were rejected', () => {
    const rejected = { status: 'rejected', reason: 'scam', text: 'New words.', edit: null }
    expect(after(edited, 'REJECTED', 'New words.')).toEqual(rejected)
  })

  test('keeps its words and the edit while it is paused', () => {
    expect(after(edited, 'PAUSED', 'New words.')).toMatchObject({
      status: 'paused',
      text: 'Old words.',
      edit: 'New words.',
    })
  })
})
