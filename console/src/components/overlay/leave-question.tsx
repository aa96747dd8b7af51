import { Button } from '../form/button.tsx'

type Props = { question: string; leave: string; onStay: () => void; onLeave: () => void }

/** Asked at the foot of a dialog before it closes with something that is shown only once. */
export function LeaveQuestion({ question, leave, onStay, onLeave }: Props) {
  return (
    <>
      <span className="grow" role="alert">
        {question}
      </span>
      <Button onClick={onStay}>Go back</Button>
      <Button kind="danger" onClick={onLeave}>
        {leave}
      </Button>
    </>
  )
}
