import { api, call } from '../../api.ts'
import { FailureNotice, Notice } from '../state.tsx'
import { Button } from './button.tsx'
import { useSubmit } from './use-submit.ts'

/** Away to the provider. `token`: of the invitation that is taken up there. */
export function ProviderButton({ provider, token }: { provider: string; token?: string }) {
  const form = useSubmit(async () => {
    const return_to = token === undefined ? window.location.pathname : '/'
    const body = { return_to, ...(token === undefined ? {} : { token }) }
    const { url } = await call(api.POST('/console/api/oidc/start', { body }))
    window.location.assign(url)
    // Busy until the page is gone.
    await new Promise(() => {})
  })
  return (
    <div className="stack">
      <Button kind="primary" icon="key" busy={form.busy} onClick={() => void form.submit()}>
        {`Continue with ${provider}`}
      </Button>
      <FailureNotice failure={form.failure} />
    </div>
  )
}

const problems: Record<string, string> = {
  rejected: 'The sign-in could not be verified. Start again.',
  unavailable: 'The sign-in provider did not respond. Try again in a moment.',
  unknown: 'Nobody here is linked to this sign-in. Open your invitation link, or ask an owner for one.',
  privileged:
    'Owners and operators link this sign-in themselves: sign in with your password, then open Settings, Security.',
  taken: 'This sign-in, or this person, is linked already to another one.',
  other_person: 'This sign-in belongs to another person.',
  no_address: 'The provider did not confirm an email address for this sign-in.',
}

/** Why the provider's reply opened nothing. */
export function ProviderProblem({ problem }: { problem: string | null }) {
  const sentence = problem === null ? undefined : problems[problem]
  return sentence ? (
    <div role="alert">
      <Notice tone="error" icon="alert">
        {sentence}
      </Notice>
    </div>
  ) : null
}
