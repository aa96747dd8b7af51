import type { ApiFailure } from '../../api.ts'
import { Button } from '../../components/form/button.tsx'
import { useSubmit } from '../../components/form/use-submit.ts'
import { SoloPage } from '../../components/solo-page.tsx'
import { FailureNotice, Notice } from '../../components/state.tsx'
import { type Session, switchAccount } from '../../session.ts'

/** In another tab the person went on in another account. What was written here is kept, and belongs to this one. */
export default function SwitchedPage({ session, failure }: { session: Session; failure: ApiFailure }) {
  const back = useSubmit(async () => {
    await switchAccount(session.account.id)
    window.location.reload()
  })
  return (
    <SoloPage title="You switched accounts">
      <Notice icon="user">
        <span dir="auto">{failure.message}</span>
      </Notice>
      <FailureNotice failure={back.failure} />
      <div className="stack stack-tight">
        <Button kind="primary" onClick={() => window.location.assign('/')}>
          Continue there
        </Button>
        <Button busy={back.busy} onClick={() => void back.submit()}>
          <span className="cut" dir="auto">
            Back to {session.account.name}
          </span>
        </Button>
      </div>
    </SoloPage>
  )
}
