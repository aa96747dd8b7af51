/** Requests per UTC hour and UTC day; `null` means not counted. */
export const plans = {
  free: { hour: 100, day: 1_000 },
  starter: { hour: 1_000, day: 10_000 },
  professional: { hour: 10_000, day: 100_000 },
  enterprise: { hour: null, day: null },
} as const satisfies Record<string, { hour: number | null; day: number | null }>

export type Plan = keyof typeof plans
export const planNames = Object.keys(plans) as [Plan, ...Plan[]]
