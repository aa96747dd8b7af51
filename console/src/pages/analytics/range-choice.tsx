import { useState } from 'react'
import { Button } from '../../components/form/button.tsx'
import { Field } from '../../components/form/field.tsx'
import { type AnalyticsQuestion, type Dates, findProblems, ranges } from './analytics-query.ts'

type Span = AnalyticsQuestion['span']
type ChoiceProps = { span: Span; today: string; onChoose: (span: Span) => void }

/** The last so many days by one press, or any days by their dates. */
export function RangeChoice({ span, today, onChoose }: ChoiceProps) {
  const [isAsking, setAsking] = useState(typeof span !== 'number')
  return (
    <>
      <fieldset className="row">
        <legend className="visually-hidden">Range</legend>
        {ranges.map((range) => (
          <Button
            key={range}
            kind={range === span ? 'primary' : 'plain'}
            aria-pressed={range === span}
            onClick={() => {
              setAsking(false)
              onChoose(range)
            }}
          >
            {range} days
          </Button>
        ))}
        <Button
          kind={typeof span === 'number' ? 'plain' : 'primary'}
          aria-pressed={typeof span !== 'number'}
          aria-expanded={isAsking}
          onClick={() => setAsking(!isAsking)}
        >
          Custom
        </Button>
      </fieldset>
      {isAsking && (
        <DatesForm
          key={typeof span === 'number' ? '' : `${span.from} ${span.to}`}
          dates={typeof span === 'number' ? { from: '', to: today } : span}
          {...{ today, onChoose }}
        />
      )}
    </>
  )
}

/** Asked for once it is whole: half a date is no question. */
function DatesForm({ dates, today, onChoose }: { dates: Dates } & Omit<ChoiceProps, 'span'>) {
  const [typed, setTyped] = useState(dates)
  const [problems, setProblems] = useState<Partial<Dates>>({})
  return (
    <form
      className="dates-form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        const found = findProblems(typed, today)
        setProblems(found)
        if (Object.keys(found).length === 0) onChoose(typed)
      }}
    >
      <Field
        label="First day"
        type="date"
        max={today}
        value={typed.from}
        error={problems.from}
        onChange={(event) => setTyped({ ...typed, from: event.target.value })}
      />
      <Field
        label="Last day"
        type="date"
        max={today}
        value={typed.to}
        error={problems.to}
        onChange={(event) => setTyped({ ...typed, to: event.target.value })}
      />
      <Button type="submit">Show</Button>
    </form>
  )
}
