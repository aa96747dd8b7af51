/**
 * Words that several pages say: one spelling each, in the API's sense. A sentence that one page says stays on that page;
 * docs/decisions/0011 says why. Words of the contract (events, scopes, error codes) come from api-values.ts.
 */

/** Statuses of messages, as lists, chips, filters and figures name them. */
export const messageStatus = {
  waiting: 'Waiting',
  queued: 'Queued',
  sent: 'Sent',
  delivered: 'Delivered',
  read: 'Read',
  failed: 'Failed',
  canceled: 'Canceled',
  received: 'Received',
  not_sent: 'Not sent',
} as const

export const templateStatus = {
  approved: 'Approved',
  pending: 'In review',
  rejected: 'Rejected',
  paused: 'Paused',
  disabled: 'Disabled',
  draft: 'Draft',
} as const

export const broadcastStatus = {
  draft: 'Draft',
  scheduled: 'Scheduled',
  running: 'Running',
  paused: 'Paused',
  completed: 'Completed',
  canceled: 'Canceled',
} as const

/** Of API keys, members and invitations. */
export const accessStatus = {
  active: 'Active',
  suspended: 'Suspended',
  revoked: 'Revoked',
  expired: 'Expired',
  invited: 'Invited',
} as const

export const deliveryStatus = {
  held: 'Held',
  skipped: 'Skipped',
  pending: 'Waiting',
  sending: 'Sending',
  delivered: 'Delivered',
  failed: 'Failed',
  cancelled: 'Cancelled',
  expired: 'Expired',
} as const

/** What buttons say wherever they do the same. */
export const buttons = {
  cancel: 'Cancel',
  clearFilters: 'Clear filters',
  tryAgain: 'Try again',
} as const

/** For something that has not happened. */
export const never = 'Never'

const plurals = new Intl.PluralRules('en')

/** "No messages match 2 filters". */
export function noneMatch(things: string, filters: number): string {
  return `No ${things} match ${filters} ${plurals.select(filters) === 'one' ? 'filter' : 'filters'}`
}

/** Names of statuses as choices of a filter; the first chooses nothing. */
export function statusChoices(
  all: string,
  words: Readonly<Record<string, string>>,
): { value: string; label: string }[] {
  return [{ value: '', label: all }, ...Object.entries(words).map(([value, label]) => ({ value, label }))]
}
