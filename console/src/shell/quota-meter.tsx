import { Link } from 'wouter'
import { formatNumber } from '../components/format-number.ts'
import { Meter } from '../components/meter.tsx'
import { useLimits, useMay } from '../session.ts'

const title = 'Requests today; resets at 00:00 UTC'

/** What is used of the day; the whole story is on the page it leads to. */
export function QuotaMeter() {
  const { data } = useLimits()
  const mayOpen = useMay('usage:read')
  const day = data?.day
  if (!day) return null
  const content = (
    <>
      <span>
        {formatNumber(day.used)} / {formatNumber(day.quota)} today
      </span>
      <Meter label="Requests today" used={day.used} quota={day.quota} thin />
    </>
  )
  return mayOpen ? (
    <Link to="/settings/plan" className="quota-meter" title={title}>
      {content}
    </Link>
  ) : (
    <span className="quota-meter" title={title}>
      {content}
    </span>
  )
}
