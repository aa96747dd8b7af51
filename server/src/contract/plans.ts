type Limits = {
  /** Requests per UTC hour and UTC day. */
  hour: number | null
  day: number | null
  webhooks: number
  /** Bytes of stored files. Files of customers are kept beyond it, and counted. */
  mediaBytes: number | null
  /** Messages that wait to be sent at once. */
  waitingSends: number
  /** Recipients of one broadcast. */
  broadcastRecipients: number
}

const gibibyte = 1_073_741_824

/** Every limit of every plan; `null` means without a limit. The operator gives an account its plan. */
export const plans = {
  free: { hour: 100, day: 1_000, webhooks: 20, mediaBytes: gibibyte, waitingSends: 1_000, broadcastRecipients: 1_000 },
  starter: {
    hour: 1_000,
    day: 10_000,
    webhooks: 20,
    mediaBytes: 5 * gibibyte,
    waitingSends: 10_000,
    broadcastRecipients: 10_000,
  },
  professional: {
    hour: 10_000,
    day: 100_000,
    webhooks: 20,
    mediaBytes: 50 * gibibyte,
    waitingSends: 100_000,
    broadcastRecipients: 100_000,
  },
  enterprise: {
    hour: null,
    day: null,
    webhooks: 20,
    mediaBytes: null,
    waitingSends: 1_000_000,
    broadcastRecipients: 1_000_000,
  },
} as const satisfies Record<string, Limits>

export type Plan = keyof typeof plans
export const planNames = Object.keys(plans) as [Plan, ...Plan[]]
