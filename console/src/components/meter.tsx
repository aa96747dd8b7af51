/** How full something is. The number stands beside it in words; the bar repeats it. */
export function Meter({
  label,
  used,
  quota,
  thin = false,
}: {
  label: string
  used: number
  quota: number
  thin?: boolean
}) {
  const share = quota > 0 ? Math.min(1, used / quota) : 0
  const level = share >= 1 ? 'full' : share >= 0.8 ? 'warn' : 'ok'
  return (
    // biome-ignore lint/a11y/useSemanticElements: the native one cannot be styled alike in all browsers
    <svg
      className={thin ? 'meter meter-thin' : 'meter'}
      data-level={level}
      role="meter"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={quota}
      aria-valuenow={Math.min(used, quota)}
      preserveAspectRatio="none"
      viewBox="0 0 100 1"
    >
      <rect width={share === 0 ? 0 : Math.max(1, share * 100)} height="1" />
    </svg>
  )
}
