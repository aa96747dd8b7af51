/** The shape of a number over time, beside the number itself; the label says it in words. */
export function Sparkline({ values, label }: { values: readonly number[]; label: string }) {
  const max = Math.max(1, ...values)
  const step = 100 / Math.max(1, values.length - 1)
  const points = values.map((value, index) => `${(index * step).toFixed(1)},${(29 - (value / max) * 26).toFixed(1)}`)
  return (
    <svg className="sparkline" viewBox="0 0 100 32" preserveAspectRatio="none" role="img" aria-label={label}>
      <polyline points={points.join(' ')} />
    </svg>
  )
}
