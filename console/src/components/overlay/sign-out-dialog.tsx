import { useEffect, useRef } from 'react'
import { api, call } from '../../api.ts'
import { forgetDrafts } from '../../drafts.ts'
import { queryClient } from '../../query-client.ts'
import { buttons } from '../../texts.ts'
import { Button } from '../form/button.tsx'
import { useSubmit } from '../form/use-submit.ts'
import { FailureNotice } from '../state.tsx'
import { Dialog } from './dialog.tsx'

/** Signs out as it opens, and stays to say so where that did not work: the user must know that they are still signed in. */
export function SignOutDialog({ onClose }: { onClose: () => void }) {
  const begun = useRef(false)
  const form = useSubmit(async () => {
    await call(api.POST('/console/api/sign-out'))
    // Nothing of what was shown stays in memory.
    queryClient.clear()
    forgetDrafts()
    window.location.assign('/')
  })
  const { submit } = form
  useEffect(() => {
    if (begun.current) return
    begun.current = true
    void submit()
  }, [submit])
  return (
    <Dialog
      title={form.failure ? 'You are still signed in' : 'Signing out…'}
      onClose={onClose}
      foot={
        form.failure && (
          <>
            <Button onClick={onClose}>Stay</Button>
            <Button kind="primary" busy={form.busy} onClick={() => void submit()}>
              {buttons.tryAgain}
            </Button>
          </>
        )
      }
    >
      {form.failure ? <FailureNotice failure={form.failure} /> : <p className="muted">One moment.</p>}
    </Dialog>
  )
}
