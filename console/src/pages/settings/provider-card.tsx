import { useQueryClient } from '@tanstack/react-query'
import { api, call } from '../../api.ts'
import { Button } from '../../components/form/button.tsx'
import { useSubmit } from '../../components/form/use-submit.ts'
import { useConfirmed } from '../../components/overlay/confirmation.tsx'
import { toast } from '../../components/overlay/toast.tsx'
import { FailureNotice } from '../../components/state.tsx'
import { useSession } from '../../session.ts'

/** The link between this person and the sign-in provider of the installation. */
export function ProviderCard({ provider }: { provider: string }) {
  const client = useQueryClient()
  const confirmed = useConfirmed()
  const { user } = useSession()
  const link = useSubmit(async () => {
    const body = { return_to: '/settings/security' }
    const { url } = await confirmed(() => call(api.POST('/console/api/oidc/link', { body })))
    window.location.assign(url)
    await new Promise(() => {})
  })
  const unlink = useSubmit(async () => {
    await confirmed(() => call(api.DELETE('/console/api/oidc/link')))
    await client.invalidateQueries({ queryKey: ['session'] })
    toast('Removed the link')
  })
  return (
    <section className="card card-body stack" aria-labelledby="own-provider">
      <h2 id="own-provider">Sign-in provider</h2>
      <p>
        {user.provider === null
          ? `Link your ${provider} sign-in to use it for the console.`
          : `You can sign in with ${user.provider}.`}
      </p>
      <FailureNotice failure={link.failure ?? unlink.failure} />
      <div>
        {user.provider === null ? (
          <Button busy={link.busy} onClick={() => void link.submit()}>{`Link ${provider}`}</Button>
        ) : (
          user.password && (
            <Button busy={unlink.busy} onClick={() => void unlink.submit()}>
              Remove the link
            </Button>
          )
        )}
      </div>
    </section>
  )
}
