import { Link } from 'wouter'
import { formatNumber, Meter } from '../components/meter.tsx'
import { useLimits } from '../session.ts'

/** What is used of the day; the whole story is on the page it leads to. */
export function QuotaMeter() {
  const { data } = useLimits()
  const day = data?.day
  if (!day) return null
  const text = `${formatNumber(day.used)} / ${formatNumber(day.quota)} today`
  return (
    <Link to="/settings/plan" className="quota-meter" title="Requests today; the count starts again at 00:00 UTC">
      <span>{text}</span>
      <Meter label="Requests today" used={day.used} quota={day.quota} thin />
    </Link>
  )
}
