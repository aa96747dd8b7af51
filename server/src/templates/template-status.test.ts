import { describe, expect, test } from 'vitest'
import type { TemplateStatus } from './content/template-types.ts'
import type { PlatformStatusReport, TemplateState } from './template-status.ts'
import {
  applyPlatformStatus,
  canBecome,
  qualityFromPlatform,
  sendable,
  sendRefusal,
  statusFromPlatform,
} from './template-status.ts'

const at = Date.parse('2025-11-15T10:00:00Z')
const state = (status: TemplateStatus, over: Partial<TemplateState> = {}): TemplateState => ({
  status,
  status_reason: null,
  previous_status: null,
  quality: null,
  ...over,
})
const after = (from: TemplateStatus, status: string, over: Partial<PlatformStatusReport> = {}) =>
  applyPlatformStatus(state(from), { status, at, ...over })

describe('the words of the platform', () => {
  test.each([
    ['PENDING', 'pending'],
    ['IN_APPEAL', 'pending'],
    ['APPROVED', 'approved'],
    ['approved', 'approved'],
    ['FLAGGED', 'approved'],
    ['REINSTATED', 'approved'],
    ['REJECTED', 'rejected'],
    ['LIMIT_EXCEEDED', 'rejected'],
    ['PAUSED', 'paused'],
    ['DISABLED', 'disabled'],
    ['LOCKED', 'approved'],
    ['ARCHIVED', 'archived'],
    ['PENDING_DELETION', 'deleted'],
    ['DELETED', 'deleted'],
    ['SOMETHING_NEW', undefined],
    ['', undefined],
  ])('%s means %s', (word, status) => {
    expect(statusFromPlatform(word)).toBe(status)
  })

  test('for quality are colours', () => {
    expect(['GREEN', 'YELLOW', 'RED', 'UNKNOWN', ''].map(qualityFromPlatform)).toEqual([
      'high',
      'medium',
      'low',
      null,
      null,
    ])
  })
})

describe('a report', () => {
  test('moves the template and clears an old reason', () => {
    const rejected = after('pending', 'REJECTED', { reason: 'INVALID_FORMAT', recommendation: 'Add words.' })
    expect(rejected).toMatchObject({
      status: 'rejected',
      status_reason: { code: 'invalid_format', recommendation: 'Add words.', until: null },
    })
    expect(rejected && applyPlatformStatus(rejected, { status: 'APPROVED', at })).toEqual(state('approved'))
  })

  test('that says nothing new changes nothing', () => {
    expect(after('approved', 'APPROVED')).toBeUndefined()
    expect(after('approved', 'SOMETHING_NEW')).toBeUndefined()
  })

  test('cannot bring back what was deleted', () => {
    expect(after('deleted', 'APPROVED')).toBeUndefined()
  })

  test('of a pause says until when, where the platform has a schedule', () => {
    const until = (title: string) => after('approved', 'PAUSED', { title })?.status_reason?.until
    expect(until('FIRST_PAUSE')).toBe('2025-11-15T13:00:00.000Z')
    expect(until('SECOND_PAUSE')).toBe('2025-11-15T16:00:00.000Z')
    expect(until('RATE_LIMITING_PAUSE')).toBeNull()
    expect(after('approved', 'PAUSED', { title: 'FIRST_PAUSE', reason: 'NONE' })?.status_reason?.code).toBe(
      'first_pause',
    )
  })

  test('of a template that is disabled says since when, where the platform does', () => {
    const disabled = (more: Partial<PlatformStatusReport>) => after('approved', 'DISABLED', more)?.status_reason
    expect(disabled({ disabledAt: Date.UTC(2026, 10, 13, 9) })).toMatchObject({
      code: 'disabled',
      message: 'Disabled by Meta since 2026-11-13, for its quality or for breaking a rule.',
    })
    expect(disabled({})?.message).toBe('Disabled by Meta, for its quality or for breaking a rule.')
  })

  test('of too many templates is a rejection with its own code', () => {
    expect(after('pending', 'LIMIT_EXCEEDED')).toMatchObject({
      status: 'rejected',
      status_reason: { code: 'limit_exceeded' },
    })
  })

  test('of a flag leaves the template approved, with low quality and a warning', () => {
    expect(after('approved', 'FLAGGED')).toMatchObject({
      status: 'approved',
      quality: 'low',
      status_reason: { code: 'flagged' },
    })
  })

  test('of archiving remembers where to return to', () => {
    const archived = after('paused', 'ARCHIVED')
    expect(archived).toMatchObject({ status: 'archived', previous_status: 'paused' })
    expect(archived && applyPlatformStatus(archived, { status: 'ARCHIVED', at })).toBeUndefined()
    expect(archived && applyPlatformStatus(archived, { status: 'UNARCHIVED', at })).toMatchObject({
      status: 'paused',
      previous_status: null,
    })
  })
})

describe('a state', () => {
  const all = ['draft', 'pending', 'approved', 'rejected', 'paused', 'disabled', 'archived', 'deleted'] as const

  test('is sendable only when approved, and each other has its refusal', () => {
    expect(all.filter(sendable)).toEqual(['approved'])
    expect(all.map(sendRefusal)).toEqual([
      'template_not_approved',
      'template_not_approved',
      null,
      'template_not_approved',
      'template_paused',
      'template_disabled',
      'template_not_approved',
      'template_not_found',
    ])
  })

  test('allows an edit, which leads to a new review, unless it is under review, disabled, archived or deleted', () => {
    expect(all.filter((status) => canBecome(status, 'pending'))).toEqual(['draft', 'approved', 'rejected', 'paused'])
  })

  test('allows deletion unless the platform refuses it or it has happened', () => {
    expect(all.filter((status) => !canBecome(status, 'deleted'))).toEqual(['disabled', 'deleted'])
  })
})
