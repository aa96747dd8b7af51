/** Event types a webhook may subscribe to. The first four are the specification's, the rest are additions. */
export const eventTypes = [
  'message.sent',
  'message.delivered',
  'message.read',
  'message.received',
  'message.failed',
  'customer.preference_changed',
  'template.status_changed',
  'webhook.failing',
  'webhook.disabled',
  'account.quota_warning',
] as const

/** All types of one family, also future ones. */
export const eventFamilies: readonly string[] = [...new Set(eventTypes.map(familyOf))]

/** Whether a list of types, families (`message.*`) or `*` has this type in it. */
export function wantsEvent(wanted: readonly string[], type: string): boolean {
  return wanted.some((one) => one === type || one === '*' || one === familyOf(type))
}

export function familyOf(type: string): string {
  return `${type.split('.', 1)[0]}.*`
}

export type EventType = (typeof eventTypes)[number]
