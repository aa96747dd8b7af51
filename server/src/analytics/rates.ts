/** A percentage with two decimals; null when there is nothing to divide by. */
export function rate(part: number, whole: number): number | null {
  // Scaled before dividing: both counts are whole, so the only rounding is the last one.
  return whole === 0 ? null : Math.round((part * 10_000) / whole) / 100
}

export type DeliveryCounts = { sent: number; delivered: number; read: number }
export type DeliveryRates = { delivery_rate: number | null; read_rate: number | null }

/** `sent` counts every message the platform accepted, so neither rate exceeds 100. */
export function deliveryRates(counts: DeliveryCounts): DeliveryRates {
  return { delivery_rate: rate(counts.delivered, counts.sent), read_rate: rate(counts.read, counts.delivered) }
}
