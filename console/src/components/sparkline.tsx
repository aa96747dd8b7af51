import { toPath, type Value } from './chart-path.ts'

/** The shape of a number over time, beside the number itself; the label says it in words. */
export function Sparkline({ values, label }: { values: readonly Value[]; label: string }) {
  const max = Math.max(1, ...values.map((value) => value ?? 0))
  const step = 100 / Math.max(1, values.length - 1)
  return (
    <svg className="sparkline" viewBox="0 0 100 32" preserveAspectRatio="none" role="img" aria-label={label}>
      <path
        d={toPath(
          values,
          (index) => index * step,
          (value) => 29 - (value / max) * 26,
        )}
      />
    </svg>
  )
}
