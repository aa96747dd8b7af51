import { useState } from 'react'
import { api, call, type Schemas } from '../../api.ts'
import { Button } from '../../components/form/button.tsx'
import { CopyButton } from '../../components/form/copy.tsx'
import { Choices, Field } from '../../components/form/field.tsx'
import { useSubmit } from '../../components/form/use-submit.ts'
import { useConfirmed } from '../../components/overlay/confirmation.tsx'
import { Dialog } from '../../components/overlay/dialog.tsx'
import { FormDialog } from '../../components/overlay/form-dialog.tsx'
import { toast } from '../../components/overlay/toast.tsx'
import { FailureNotice, Notice } from '../../components/state.tsx'
import { ExactTime } from '../../components/time.tsx'
import { buttons } from '../../texts.ts'

export type Tenant = Schemas['ConsoleTenant']
type Plan = Tenant['plan']
type TenantProps = { tenant: Tenant; onClose: () => void }

const plans: readonly { value: Plan; label: string; hint: string }[] = [
  { value: 'free', label: 'Free', hint: '1,000 requests a day' },
  { value: 'starter', label: 'Starter', hint: '10,000 requests a day' },
  { value: 'professional', label: 'Professional', hint: '100,000 requests a day' },
  { value: 'enterprise', label: 'Enterprise', hint: 'Requests without limit' },
]

export function CreateTenantDialog({ onClose }: { onClose: () => void }) {
  const confirmed = useConfirmed()
  const [name, setName] = useState('')
  const [plan, setPlan] = useState<Plan>('free')
  const [created, setCreated] = useState<Schemas['ConsoleTenantCreated'] | null>(null)
  const form = useSubmit(async () => {
    setCreated(await confirmed(() => call(api.POST('/console/api/installation/accounts', { body: { name, plan } }))))
  })
  if (created) return <OwnerLink created={created} onClose={onClose} />
  return (
    <Dialog title="Create account" onClose={onClose}>
      <form className="form" onSubmit={form.onSubmit}>
        <Field
          label="Name of the business"
          required
          maxLength={80}
          value={name}
          error={form.errorOf('name')}
          onChange={(event) => setName(event.target.value)}
        />
        <Choices legend="Plan" name="plan" value={plan} options={plans} onChange={setPlan} />
        <FailureNotice failure={form.general} />
        <div className="row row-end">
          <Button onClick={onClose}>{buttons.cancel}</Button>
          <Button kind="primary" type="submit" busy={form.busy}>
            Create account
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

function OwnerLink({ created, onClose }: { created: Schemas['ConsoleTenantCreated']; onClose: () => void }) {
  return (
    <Dialog
      title={`Link for the owner of ${created.name}`}
      onClose={onClose}
      foot={
        <Button kind="primary" onClick={onClose}>
          Done
        </Button>
      }
    >
      <Notice tone="warn" icon="link">
        Send this link to the owner yourself. It works once and is shown only once.
      </Notice>
      <div className="secret-row">
        <code className="secret-value" data-testid="owner-link">
          {created.link}
        </code>
        <CopyButton text={created.link} label="Copy link" />
      </div>
      <p className="small muted">
        Valid until <ExactTime at={created.expires_at} />. Later: <code>postern setup-link</code>.
      </p>
    </Dialog>
  )
}

export function PlanDialog({ tenant, onClose }: TenantProps) {
  const confirmed = useConfirmed()
  const [plan, setPlan] = useState<Plan>(tenant.plan)
  const form = useSubmit(async () => {
    const params = { path: { account_id: tenant.id } }
    await confirmed(() =>
      call(api.PUT('/console/api/installation/accounts/{account_id}/plan', { params, body: { plan } })),
    )
    onClose()
    toast(`Changed the plan of ${tenant.name}`)
  })
  return (
    <FormDialog title={`Plan of ${tenant.name}`} act="Change plan" {...{ form, onClose }}>
      <Choices legend="Plan" name="plan" value={plan} options={plans} onChange={setPlan} />
      <p className="small muted">Takes effect immediately. Past requests still count.</p>
      <FailureNotice failure={form.failure} />
    </FormDialog>
  )
}

export function StatusDialog({ tenant, onClose }: TenantProps) {
  const suspends = tenant.status === 'active'
  const form = useStatus(tenant, suspends ? 'suspended' : 'active', onClose)
  return (
    <FormDialog
      title={suspends ? `Suspend ${tenant.name}?` : `Resume ${tenant.name}?`}
      act={suspends ? 'Suspend' : 'Resume'}
      {...(suspends ? { kind: 'danger' as const } : {})}
      {...{ form, onClose }}
    >
      <p>
        {suspends
          ? 'Every send and API call of the account is rejected until it is resumed. Its members can still sign in and read.'
          : 'The account can send and change things again immediately.'}
      </p>
      <FailureNotice failure={form.failure} />
    </FormDialog>
  )
}

function useStatus({ id, name }: Tenant, status: 'active' | 'suspended', onClose: () => void) {
  const confirmed = useConfirmed()
  return useSubmit(async () => {
    const params = { path: { account_id: id } }
    await confirmed(() =>
      call(api.PUT('/console/api/installation/accounts/{account_id}/status', { params, body: { status } })),
    )
    onClose()
    toast(status === 'active' ? `Resumed ${name}` : `Suspended ${name}`)
  })
}

type Kept = 'active' | 'suspended'

/** Takes a planned deletion back. */
export function KeepDialog({ tenant, onClose }: TenantProps) {
  const [status, setStatus] = useState<Kept>('active')
  const form = useStatus(tenant, status, onClose)
  return (
    <FormDialog title={`Keep ${tenant.name}?`} act="Keep account" {...{ form, onClose }}>
      <p>The account will not be deleted. All its data is still there.</p>
      <Choices
        legend="From now on"
        name="status"
        value={status}
        options={[
          { value: 'active', label: 'Resume', hint: 'It can send and change things again immediately.' },
          { value: 'suspended', label: 'Keep it suspended', hint: 'Its members can sign in and read.' },
        ]}
        onChange={setStatus}
      />
      <FailureNotice failure={form.failure} />
    </FormDialog>
  )
}

/** Says what goes, and has the name typed. */
export function DeleteDialog({ tenant, onClose }: TenantProps) {
  const confirmed = useConfirmed()
  const [typed, setTyped] = useState('')
  const form = useSubmit(async () => {
    const params = { path: { account_id: tenant.id } }
    await confirmed(() =>
      call(api.PUT('/console/api/installation/accounts/{account_id}/deletion', { params, body: { confirm: typed } })),
    )
    onClose()
    toast(`${tenant.name} will be deleted in seven days`)
  })
  return (
    <FormDialog
      title={`Delete ${tenant.name}?`}
      act="Delete in seven days"
      kind="danger"
      disabled={typed.trim() !== tenant.name.trim()}
      {...{ form, onClose }}
    >
      <p>
        The account is suspended now. In seven days its messages, customers, files, keys, webhooks and members are
        permanently deleted. Until then its members can sign in, read and export, and you can keep the account.
      </p>
      <Field
        label={`Type ${tenant.name} to confirm`}
        value={typed}
        autoComplete="off"
        error={form.errorOf('confirm')}
        onChange={(event) => setTyped(event.target.value)}
      />
      <FailureNotice failure={form.general} />
    </FormDialog>
  )
}
