import { api, call } from '../../api.ts'
import type { Costs } from '../../components/costs/cost-figures.ts'
import { Button } from '../../components/form/button.tsx'
import { useSubmit } from '../../components/form/use-submit.ts'
import { FailureNotice } from '../../components/state.tsx'
import { download } from '../../components/table/download.ts'
import { toCsv } from '../../components/table/to-csv.ts'
import { useMay } from '../../session.ts'
import { csvRows } from './analytics-csv.ts'
import type { Analytics } from './analytics-figures.ts'
import { dateIn, type Grouping, groupNames, shiftDay } from './analytics-query.ts'

type ExportProps = { data: Analytics; groupBy: Grouping } | null

/** The figures of the page as a file, for those who may see costs with what arrived on each day costs. */
export function ExportAnalytics({ shown }: { shown: ExportProps }) {
  const maySeeCosts = useMay('costs:read')
  const form = useSubmit(async () => {
    if (!shown) return
    const { data, groupBy } = shown
    // Failed messages cost nothing.
    const costs = maySeeCosts && groupBy !== 'error_code' ? await costsOf(data, groupBy) : null
    const first = dateIn(data.timezone, Date.parse(data.from))
    download(toCsv(csvRows(data, groupNames[groupBy], costs)), `analytics-${first}.csv`, 'text/csv')
  })
  return (
    <div className="export">
      <Button icon="download" disabled={!shown} busy={form.busy} onClick={() => void form.submit()}>
        Export CSV
      </Button>
      <FailureNotice failure={form.failure} />
    </div>
  )
}

/** Of the same dates: a message counts on the day of its delivery, by midnight of its WhatsApp Business account. */
function costsOf({ from, to, timezone }: Analytics, groupBy: Exclude<Grouping, 'error_code'>): Promise<Costs> {
  const dates = { from: dateIn(timezone, Date.parse(from)), to: shiftDay(dateIn(timezone, Date.parse(to) - 1), 1) }
  return call(api.GET('/console/api/costs', { params: { query: { ...dates, group_by: [groupBy, 'day'] } } }))
}
