import type { ApiFailure, Schemas } from '../../api.ts'
import { Icon } from '../../components/icon.tsx'
import { Bubble } from '../../components/message/bubble.tsx'
import { FailureNotice } from '../../components/state.tsx'
import { Words } from '../../components/words.tsx'

type Checked = Schemas['ConsoleCheckedTemplate']

/** The message as a phone shows it, with its samples. */
export function Preview({ check, title = 'Preview' }: { check: Checked | undefined; title?: string }) {
  const isEmpty = !check || (check.preview.text.trim() === '' && check.preview.header === null)
  return (
    <section className="card" aria-label={title}>
      <div className="card-head">
        <h2>{title}</h2>
      </div>
      <div className="screen">
        {isEmpty ? (
          <p className="muted">Your template appears here as the customer will see it.</p>
        ) : (
          <Bubble type="template" content={check.preview} side="business" />
        )}
      </div>
    </section>
  )
}

type ChecksProps = {
  check: Checked | undefined
  failure: ApiFailure | null
  /** Nobody has written anything: what is missing is still to do, not wrong. */
  isFresh: boolean
}

/** Everything a submission would be refused for. Said while typing, because a review takes up to a day. */
export function Checks({ check, failure, isFresh }: ChecksProps) {
  const problems = check?.problems ?? []
  return (
    <section className="card card-body stack stack-tight" aria-label="Checks">
      <h2>Checks</h2>
      <FailureNotice failure={failure} />
      {check && !failure && problems.length === 0 ? (
        <p className="row check-good">
          <Icon name="check" size={16} /> It passes all checks before the review.
        </p>
      ) : (
        <ul className="checks" data-fresh={isFresh}>
          {problems.map(({ field, message }) => (
            <li key={`${field} ${message}`}>
              <Icon name={isFresh ? 'clock' : 'alert'} size={16} />
              <span>
                {placeOf(field)}
                <Words text={message} />
              </span>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

/** Which of several cards and buttons a sentence is about. */
function placeOf(field: string): string {
  const places = [/cards\[(\d+)\]/, /buttons\[(\d+)\]/].map((part, index) => {
    const [, place] = part.exec(field) ?? []
    return place === undefined ? [] : [`${['card', 'button'][index]} ${Number(place) + 1}`]
  })
  const words = places.flat().join(', ')
  return words === '' ? '' : `${words[0]?.toUpperCase()}${words.slice(1)}: `
}
