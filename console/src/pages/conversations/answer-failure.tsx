import type { ApiFailure } from '../../api.ts'
import { FailureNotice, Notice } from '../../components/state.tsx'
import { plainSentence } from './plain-sentences.ts'

/** Why an answer was not sent and what to do, for people who answer customers; without such a sentence the API's own. */
export function AnswerFailure({ failure }: { failure: ApiFailure | null }) {
  const sentence = failure && plainSentence(failure.code)
  if (!sentence) return <FailureNotice failure={failure} />
  return (
    <div role="alert">
      <Notice tone="error" icon="alert">
        {sentence}
      </Notice>
    </div>
  )
}
