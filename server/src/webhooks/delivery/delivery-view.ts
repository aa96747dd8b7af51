import type { deliveryStatuses } from '../../contract/deliveries.ts'
import { formatInstant } from '../../lib/instant.ts'
import type { AttemptRow } from '../../store/accounts/guesses.ts'
import type { DeliveryRow } from '../../store/webhooks/deliveries.ts'

type DeliveryStatus = (typeof deliveryStatuses)[number]

export function deliveryView(row: DeliveryRow) {
  return {
    id: row.id,
    event_id: row.event_id,
    type: row.type,
    message_id: row.message_id,
    status: row.status as DeliveryStatus,
    attempt_count: row.attempts,
    created_at: formatInstant(row.created_at),
    next_attempt_at: row.status === 'pending' ? formatInstant(row.due_at) : null,
  }
}

/** Why an attempt was made. */
export type AttemptTrigger = 'schedule' | 'manual' | 'replay' | 'test'

export function attemptView(row: AttemptRow & { late: number }) {
  return {
    id: row.id,
    number: row.number,
    trigger: row.cause as AttemptTrigger,
    url: row.url,
    started_at: formatInstant(row.started_at),
    duration_ms: row.duration_ms,
    status_code: row.status_code,
    error_code: row.error_code,
    error_message: row.error_message,
    remote_ip: row.remote_ip,
    response_headers: JSON.parse(row.response_headers) as Record<string, string>,
    response_body: row.response_body,
    next_attempt_at: formatInstant(row.next_attempt_at),
    late: row.late === 1,
  }
}
