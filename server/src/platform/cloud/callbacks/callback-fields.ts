import type { CallbackItem } from '../../callback-item.ts'
import { classifyReported } from '../classify-failure.ts'
import { type JsonObject, objectOf, textOf } from '../lenient-json.ts'
import { languageOf } from '../template-from-wire.ts'
import { dedupeKey, eventKey, type Place, phoneOf, rawOf, timeOf, unhandled } from './callback-facts.ts'
import { parseHandover } from './callback-threads.ts'

/** A change of a field other than `messages`, `calls` and `user_preferences`: one event each. */
export function parseField(value: JsonObject, place: Place): CallbackItem {
  const parser = parsers.get(place.field ?? '')
  if (!parser) return unhandled('unknown_field', place, value)
  return parser(value, place) ?? unhandled('unreadable_item', place, value)
}

type Parser = (value: JsonObject, place: Place) => CallbackItem | null

const parsers: ReadonlyMap<string, Parser> = new Map<string, Parser>([
  ['message_template_status_update', templateStatus],
  ['message_template_quality_update', templateQuality],
  ['template_category_update', templateCategory],
  ['template_correct_category_detection', correctCategory],
  ['message_template_components_update', templateComponents],
  ['phone_number_quality_update', numberQuality],
  ['phone_number_name_update', numberName],
  ['business_capability_update', capability],
  ['account_update', account],
  ['account_review_update', account],
  ['account_alerts', account],
  ['security', account],
  ['business_username_updates', account],
  ['account_settings_update', accountSettings],
  ['messaging_handovers', parseHandover],
  ...[
    'message_echoes',
    'business_status_update',
    'flows',
    'payment_configuration_update',
    'partner_solutions',
    'automatic_events',
    'tracking_events',
    'consumer_profile',
    'group_lifecycle_update',
    'group_participants_update',
    'group_settings_update',
    'group_status_update',
  ].map((field) => [field, (value: JsonObject, place: Place) => unhandled('not_used', place, value)] as const),
])

/** An error that belongs to no message: the account, the app or the number is meant. */
export function parseAccountError(value: unknown, place: Place): CallbackItem {
  const error = objectOf(value)
  if (!error) return unhandled('unreadable_item', place, value)
  const item = account({ event: 'ERROR' }, { ...place, field: 'errors' })
  return {
    ...item,
    dedupeKey: eventKey('account', place, value),
    failures: [classifyReported(error)],
    detail: rawOf(error),
  }
}

export function parsePreference(value: unknown, place: Place): CallbackItem {
  const preference = objectOf(value)
  const customer = { phone: phoneOf(preference?.wa_id), userId: textOf(preference?.user_id) }
  const word = textOf(preference?.value)?.toLowerCase() ?? null
  if (!preference || word === null) return unhandled('unreadable_item', place, value)
  if (customer.phone === null && customer.userId === null) return unhandled('no_sender', place, value)
  const category = textOf(preference.category)
  const who = customer.userId ?? customer.phone
  const time = textOf(preference.timestamp)
  return {
    kind: 'user_preference',
    dedupeKey: dedupeKey('user_preference', place.wabaId, who, category, word, time),
    ...routes(place),
    customer,
    category,
    value: word,
    at: timeOf(preference.timestamp),
  }
}

function templateStatus(value: JsonObject, place: Place): CallbackItem | null {
  // One of the platform's own samples sends quality under this field.
  if (value.new_quality_score !== undefined) return templateQuality(value, place)
  const event = textOf(value.event)?.toUpperCase() ?? null
  if (event === null) return null
  const rejection = objectOf(value.rejection_info)
  const reason = textOf(value.reason)
  return {
    kind: 'template_status',
    ...templateEvent('template_status', value, place),
    event,
    // The code; what `rejection_info` calls its reason is prose.
    reason: reason === 'NONE' ? null : reason,
    description: textOf(rejection?.reason),
    recommendation: textOf(rejection?.recommendation) ?? textOf(objectOf(value.other_info)?.description),
    category: textOf(value.message_template_category)?.toLowerCase() ?? null,
    note: textOf(objectOf(value.other_info)?.title),
    disabledAt: timeOf(objectOf(value.disable_info)?.disable_date),
  }
}

function templateQuality(value: JsonObject, place: Place): CallbackItem | null {
  const quality = textOf(value.new_quality_score)
  if (quality === null) return null
  return {
    kind: 'template_quality',
    ...templateEvent('template_quality', value, place),
    previousQuality: textOf(value.previous_quality_score),
    quality,
  }
}

/** In an announcement `new_category` means the present one and `correct_category` the one to come. */
function templateCategory(value: JsonObject, place: Place): CallbackItem {
  const next = textOf(value.correct_category)?.toLowerCase() ?? null
  return {
    kind: 'template_category',
    ...templateEvent('template_category', value, place),
    phase: next === null ? 'changed' : 'announced',
    category: textOf(value.new_category)?.toLowerCase() ?? null,
    previousCategory: textOf(value.previous_category)?.toLowerCase() ?? null,
    nextCategory: next,
  }
}

/** The same announcement under a field of its own; `category` means the present one here. */
function correctCategory(value: JsonObject, place: Place): CallbackItem {
  return templateCategory({ ...value, new_category: value.category }, place)
}

function templateComponents(value: JsonObject, place: Place): CallbackItem {
  return { kind: 'template_components', ...templateEvent('template_components', value, place) }
}

function templateEvent(kind: string, value: JsonObject, place: Place) {
  return {
    dedupeKey: eventKey(kind, place, value),
    ...routes(place),
    templateId: textOf(value.message_template_id),
    name: textOf(value.message_template_name),
    language: languageOf(value.message_template_language),
    at: timeOf(place.entryTime),
  }
}

function numberQuality(value: JsonObject, place: Place): CallbackItem {
  return {
    kind: 'number_quality',
    dedupeKey: eventKey('number_quality', place, value),
    ...routes(place),
    displayPhoneNumber: textOf(value.display_phone_number),
    event: textOf(value.event),
    currentLimit: textOf(value.current_limit) ?? textOf(value.max_daily_conversations_per_business),
    oldLimit: textOf(value.old_limit),
  }
}

function numberName(value: JsonObject, place: Place): CallbackItem {
  return {
    kind: 'number_name',
    dedupeKey: eventKey('number_name', place, value),
    ...routes(place),
    displayPhoneNumber: textOf(value.display_phone_number),
    decision: textOf(value.decision),
    requestedName: textOf(value.requested_verified_name),
    rejectionReason: textOf(value.rejection_reason),
  }
}

function capability(value: JsonObject, place: Place): CallbackItem {
  return {
    kind: 'capability',
    dedupeKey: eventKey('capability', place, value),
    ...routes(place),
    maxDailyConversationsPerBusiness: textOf(value.max_daily_conversations_per_business),
    maxPhoneNumbersPerBusiness: textOf(value.max_phone_numbers_per_business),
  }
}

function account(value: JsonObject, place: Place) {
  return {
    kind: 'account' as const,
    dedupeKey: eventKey('account', place, value),
    ...routes(place),
    field: place.field ?? 'account_update',
    event:
      textOf(value.event) ??
      textOf(value.decision) ??
      textOf(objectOf(value.alert_info)?.alert_type) ??
      textOf(value.status) ??
      textOf(value.type),
    at: timeOf(place.entryTime),
    failures: [],
    detail: rawOf(value),
  }
}

/** It names its number in a place of its own. */
function accountSettings(value: JsonObject, place: Place) {
  const phoneNumberId = textOf(objectOf(value.phone_number_settings)?.phone_number_id)
  return account(value, { ...place, phoneNumberId: place.phoneNumberId ?? phoneNumberId })
}

function routes({ wabaId, phoneNumberId }: Place): { wabaId: string | null; phoneNumberId: string | null } {
  return { wabaId, phoneNumberId }
}
