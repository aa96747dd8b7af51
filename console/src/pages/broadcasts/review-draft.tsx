import { useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import { api, call, type Schemas } from '../../api.ts'
import { Facts } from '../../components/facts.tsx'
import { ButtonLink } from '../../components/form/button.tsx'
import { formatNumber } from '../../components/format-number.ts'
import { countOf } from '../../components/plural.ts'
import { QueryView } from '../../components/query-view.tsx'
import { EmptyState, Notice } from '../../components/state.tsx'
import { useMay } from '../../session.ts'
import { type Broadcast, pathOf } from './broadcast-query.ts'
import { skipWords } from './broadcast-texts.ts'
import { StartForm } from './start-form.tsx'
import { Steps } from './steps.tsx'
import { TestForm } from './test-form.tsx'
import { UploadReport, useUpload } from './upload-report.tsx'

type Estimate = Schemas['BroadcastEstimate']

/** Who would get what, what it costs and how long it takes; then the start. */
export function ReviewDraft({ record }: { record: Broadcast }) {
  const upload = useUpload(record.id)
  const mayWrite = useMay('broadcasts:write')
  const maySend = useMay('messages:send')
  const estimate = useQuery({
    queryKey: ['broadcasts', 'estimate', record.id, record.counts.accepted],
    queryFn: ({ signal }) =>
      call(api.GET('/console/api/broadcasts/{broadcast_id}/estimate', { ...pathOf(record.id), signal })),
    enabled: record.counts.accepted > 0,
  })
  if (record.counts.accepted === 0) {
    const isAllBad = upload !== null && upload.accepted === 0
    return (
      <>
        {isAllBad && <UploadReport id={record.id} result={upload} />}
        <EmptyState
          icon="megaphone"
          title="No recipients yet"
          action={
            mayWrite && (
              <ButtonLink kind="primary" icon="arrow" to={`/broadcasts/new?from=${record.id}`}>
                Choose a file
              </ButtonLink>
            )
          }
        />
      </>
    )
  }
  return (
    <>
      <Steps current="review" />
      {upload && upload.problems_total > 0 && <UploadReport id={record.id} result={upload} />}
      <QueryView query={estimate}>{(data) => <Reach record={record} estimate={data} />}</QueryView>
      {mayWrite && maySend ? (
        <>
          <TestForm record={record} />
          <StartForm record={record} />
        </>
      ) : (
        <Notice>
          <p>Your role can view it, but not start it.</p>
        </Notice>
      )}
    </>
  )
}

function Reach({ record, estimate }: { record: Broadcast; estimate: Estimate }) {
  const mayImport = useMay('rates:write')
  const { recipients, skipped, countries, cost, category } = estimate
  const left = Object.values(skipped).reduce((sum, count) => sum + count, 0)
  return (
    <section className="card card-body stack" aria-label="Review">
      <Facts
        rows={[
          ['Recipients', formatNumber(recipients)],
          [
            'Of them skipped',
            left > 0 &&
              Object.entries(skipped)
                .map(([why, count]) => `${formatNumber(count)} ${skipWords[why] ?? why}`)
                .join(', '),
          ],
          ['Template', `${record.template} (${record.language}${category ? `, ${category}` : ''})`],
          ['From', record.from],
          [
            'Cost',
            cost ? (
              `At most ${cost.amount} ${cost.currency}, by list rates; Meta charges what is delivered`
            ) : (
              <>
                Unknown: no rate card for all of its countries.{' '}
                {mayImport && <Link to="/settings/rates">Rate cards</Link>}
              </>
            ),
          ],
          ['Duration', durationText(estimate)],
        ]}
      />
      {!estimate.fits_valid_for && (
        <Notice tone="warn" icon="alert">
          <p>It would not finish in time: remaining recipients would get nothing. Give it more days below.</p>
        </Notice>
      )}
      <ul className="country-counts" aria-label="Recipients by country">
        {countries.slice(0, countriesShown).map(({ country, count }) => (
          <li key={country ?? ''}>
            <span>{country === null ? 'Country not known' : countryName(country)}</span>
            <span className="number">{formatNumber(count)}</span>
          </li>
        ))}
        {countries.length > countriesShown && (
          <li className="muted">
            and {countOf(countries.length - countriesShown, 'other country', 'other countries')}
          </li>
        )}
      </ul>
    </section>
  )
}

const countriesShown = 12
const names = new Intl.DisplayNames('en', { type: 'region' })

function countryName(code: string): string {
  try {
    return names.of(code) ?? code
  } catch {
    return code
  }
}

const limitWords: Readonly<Record<Estimate['limited_by'], string>> = {
  number_rate: 'the number sends',
  max_per_second: 'you limited it to',
  quota: 'the plan of the account limits it; while it lasts,',
  messaging_limit: "Meta's limit of new customers a day decides; while there is room,",
}

function durationText({ duration_seconds: seconds, limited_by: by, per_second: rate }: Estimate): string {
  const time = seconds === null ? 'Unknown' : `About ${timeInWords(seconds)}`
  return `${time}: ${limitWords[by]} ${by === 'quota' || by === 'messaging_limit' ? 'it sends ' : ''}${formatNumber(rate)} a second`
}

export function timeInWords(seconds: number): string {
  if (seconds < 90) return countOf(Math.max(1, Math.round(seconds)), 'second')
  if (seconds < 5_400) return countOf(Math.round(seconds / 60), 'minute')
  if (seconds < 129_600) return countOf(Math.round(seconds / 3_600), 'hour')
  return countOf(Math.round(seconds / 86_400), 'day')
}
