import { useQueryClient } from '@tanstack/react-query'
import { api, call, type Schemas } from '../../api.ts'
import { Button } from '../../components/form/button.tsx'
import { useSubmit } from '../../components/form/use-submit.ts'
import { useConfirmed } from '../../components/overlay/confirmation.tsx'
import { toast } from '../../components/overlay/toast.tsx'
import { FailureNotice } from '../../components/state.tsx'
import { useMay, useSession } from '../../session.ts'

/** Owners decide whether a password alone is enough in this account. */
export function TwoFactorRule({ members }: { members: readonly Schemas['ConsoleMember'][] }) {
  const client = useQueryClient()
  const confirmed = useConfirmed()
  const mayWrite = useMay('account:write')
  const { two_factor_required: isRequired } = useSession().account
  const joined = members.filter(({ status }) => status === 'active')
  const guarded = joined.filter(({ two_factor: isOn }) => isOn)
  const form = useSubmit(async () => {
    await confirmed(() => call(api.PUT('/console/api/account/two-factor', { body: { required: !isRequired } })))
    await client.invalidateQueries()
    toast(isRequired ? 'Two-factor sign-in is optional' : 'Two-factor sign-in is required')
  })
  return (
    <section className="card card-body stack stack-tight" aria-labelledby="two-factor-rule">
      <div className="row row-apart">
        <h2 id="two-factor-rule">Two-factor sign-in</h2>
        {mayWrite && (
          <Button busy={form.busy} onClick={() => void form.submit()}>
            {isRequired ? 'Make it optional' : 'Require it for all members'}
          </Button>
        )}
      </div>
      <p>
        {isRequired ? 'Required.' : 'Optional.'} {guarded.length} of {joined.length} active members have it.
      </p>
      <p className="small muted">
        {isRequired
          ? 'Members without it set it up at their next sign-in.'
          : 'When it is required, members without it set it up at their next sign-in. Open sessions continue.'}
      </p>
      <FailureNotice failure={form.failure} />
    </section>
  )
}
