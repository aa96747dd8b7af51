import { describe, expect, test } from 'vitest'
import { body, messages, only } from '../../../../../test/platform/callback-bodies.ts'
import { parseCallback } from './cloud-callbacks.ts'

describe('Events of the business account', () => {
  const template = {
    message_template_id: 594425479261596,
    message_template_name: 'order_ready',
    message_template_language: 'en-US',
  }
  const named = { templateId: '594425479261596', name: 'order_ready', language: 'en_US', wabaId: '9001' }
  const event = (field: string, value: object) => only(body({ field, value }))

  test('a template is approved: routed by the business account, without any phone number', () => {
    const value = { ...template, event: 'APPROVED', reason: 'NONE', message_template_category: 'UTILITY' }
    expect(event('message_template_status_update', value)).toMatchObject({
      kind: 'template_status',
      ...named,
      phoneNumberId: null,
      event: 'APPROVED',
      reason: null,
      category: 'utility',
      at: 1739321024000,
    })
  })

  test('a template is rejected: with reason and advice', () => {
    const rejection_info = { reason: 'Variables at the end', recommendation: 'Add words after them' }
    const value = { ...template, event: 'REJECTED', reason: 'INVALID_FORMAT', rejection_info }
    expect(event('message_template_status_update', value)).toMatchObject({
      event: 'REJECTED',
      reason: 'INVALID_FORMAT',
      description: 'Variables at the end',
      recommendation: 'Add words after them',
    })
  })

  test('a template is paused: with the kind of pause', () => {
    const value = { ...template, event: 'PAUSED', other_info: { title: 'FIRST_PAUSE', description: 'For 3 hours' } }
    expect(event('message_template_status_update', value)).toMatchObject({
      note: 'FIRST_PAUSE',
      recommendation: 'For 3 hours',
    })
  })

  test.each(['1763024400', 1763024400])('a template is disabled: since the unix time %j', (disable_date) => {
    const value = { ...template, event: 'DISABLED', reason: 'NONE', disable_info: { disable_date } }
    expect(event('message_template_status_update', value)).toMatchObject({
      event: 'DISABLED',
      disabledAt: Date.UTC(2025, 10, 13, 9),
    })
  })

  test('a template id beyond 2^53 keeps every digit', () => {
    const text = body({ field: 'message_template_status_update', value: { ...template, event: 'APPROVED' } })
    expect(only(text.replace('594425479261596', '9007199254740993123'))).toMatchObject({
      templateId: '9007199254740993123',
    })
  })

  test.each(['message_template_quality_update', 'message_template_status_update'])('quality comes as %s', (field) => {
    const value = { ...template, previous_quality_score: 'GREEN', new_quality_score: 'YELLOW' }
    expect(event(field, value)).toMatchObject({ kind: 'template_quality', ...named, quality: 'YELLOW' })
  })

  test('an announced category names the one to come, a changed one the one that was', () => {
    const announced = { ...template, new_category: 'UTILITY', correct_category: 'MARKETING' }
    expect(event('template_category_update', announced)).toMatchObject({
      kind: 'template_category',
      phase: 'announced',
      category: 'utility',
      nextCategory: 'marketing',
    })
    const changed = { ...template, previous_category: 'UTILITY', new_category: 'MARKETING' }
    expect(event('template_category_update', changed)).toMatchObject({
      phase: 'changed',
      category: 'marketing',
      previousCategory: 'utility',
      nextCategory: null,
    })
  })

  test.each([
    ['message_template_components_update', template, { kind: 'template_components', ...named }],
    [
      'phone_number_quality_update',
      { display_phone_number: '15550783881', event: 'ONBOARDING', current_limit: 'TIER_2K', old_limit: 'TIER_250' },
      { kind: 'number_quality', event: 'ONBOARDING', currentLimit: 'TIER_2K', displayPhoneNumber: '15550783881' },
    ],
    [
      'phone_number_name_update',
      {
        display_phone_number: '15550783881',
        decision: 'REJECTED',
        requested_verified_name: 'Shop',
        rejection_reason: 'X',
      },
      { kind: 'number_name', decision: 'REJECTED', requestedName: 'Shop', rejectionReason: 'X' },
    ],
    [
      'account_update',
      { event: 'DISABLED_UPDATE', ban_info: { waba_ban_state: 'DISABLE' } },
      {
        kind: 'account',
        field: 'account_update',
        event: 'DISABLED_UPDATE',
        detail: { ban_info: { waba_ban_state: 'DISABLE' } },
      },
    ],
    ['account_review_update', { decision: 'APPROVED' }, { kind: 'account', event: 'APPROVED' }],
    ['account_alerts', { alert_info: { alert_type: 'OBA' } }, { kind: 'account', event: 'OBA' }],
    [
      'template_correct_category_detection',
      { ...template, category: 'UTILITY', correct_category: 'MARKETING' },
      { kind: 'template_category', ...named, phase: 'announced', category: 'utility', nextCategory: 'marketing' },
    ],
    [
      'business_username_updates',
      { display_phone_number: '15550783881', username: 'acme', status: 'approved' },
      { kind: 'account', field: 'business_username_updates', event: 'approved' },
    ],
    [
      'account_settings_update',
      { timestamp: '1', type: 'phone_number_settings', phone_number_settings: { phone_number_id: '1065' } },
      { kind: 'account', field: 'account_settings_update', event: 'phone_number_settings', phoneNumberId: '1065' },
    ],
    ['security', { event: 'PIN_CHANGED' }, { kind: 'account', field: 'security', event: 'PIN_CHANGED' }],
    [
      'business_capability_update',
      { max_daily_conversations_per_business: 'TIER_10K', max_phone_numbers_per_business: 25 },
      { kind: 'capability', maxDailyConversationsPerBusiness: 'TIER_10K', maxPhoneNumbersPerBusiness: '25' },
    ],
  ])('%s', (field, value, expected) => {
    expect(event(field, value)).toMatchObject(expected)
  })

  test('an error that belongs to no message stays beside the messages it came with', () => {
    const message = { from: '15550001111', id: 'wamid.IN', type: 'text', text: { body: 'hi' } }
    const items = parseCallback(body(messages({ messages: [message], errors: [{ code: 131000, title: 'Oops' }] })))
    expect(items.map((item) => item.kind)).toEqual(['message', 'account'])
    expect(items[1]).toMatchObject({ field: 'errors', event: 'ERROR', failures: [{ upstream: { code: 131000 } }] })
  })

  test.each([
    ['clicks on marketing messages', { user_actions: [{ action_type: 'marketing_messages_link_click' }] }],
    ['a summary of the conversation alone', { conversation_context: { type: 'summary', summary: { text: 'x' } } }],
  ])('%s: nothing follows, and nothing is lost', (_, value) => {
    expect(event('messages', value)).toMatchObject({ kind: 'unhandled', reason: 'not_used', field: 'messages' })
  })

  test('a customer stops marketing messages', () => {
    const preference = { wa_id: '15550001111', category: 'marketing_messages', value: 'stop', timestamp: 1750030073 }
    const other = { user_id: 'US.2', category: 'marketing_messages', value: 'resume', timestamp: 1750030074 }
    const items = parseCallback(body({ field: 'user_preferences', value: { user_preferences: [preference, other] } }))
    expect(items).toMatchObject([
      { kind: 'user_preference', customer: { phone: '+15550001111', userId: null }, value: 'stop', at: 1750030073000 },
      { kind: 'user_preference', customer: { phone: null, userId: 'US.2' }, value: 'resume' },
    ])
  })

  test.each(['field_of_next_year', 'constructor', '__proto__', 'toString'])('the field %s is kept', (field) => {
    const item = event(field, { anything: [1, 2] })
    expect(item).toMatchObject({ kind: 'unhandled', reason: 'unknown_field', field, raw: '{"anything":[1,2]}' })
  })

  test.each(['flows', 'group_lifecycle_update'])('the field %s is known and not used', (field) => {
    expect(event(field, { anything: [1, 2] })).toMatchObject({ kind: 'unhandled', reason: 'not_used', field })
  })

  test.each([
    ['history', {}],
    ['message_template_status_update', {}],
    ['message_template_quality_update', {}],
    ['user_preferences', {}],
    ['messages', {}],
    ['messages', { messages: 'none' }],
  ])('the field %s with %j is kept as unreadable', (field, value) => {
    expect(event(field, value)).toMatchObject({ kind: 'unhandled', reason: 'unreadable_item' })
  })
})
