import { toFailure } from '../api.ts'
import { Icon } from '../components/icon.tsx'
import { Menu } from '../components/overlay/menu.tsx'
import { toast } from '../components/overlay/toast.tsx'
import { switchAccount, useSession } from '../session.ts'

/** The account that the page shows; a person with several switches here. */
export function AccountMenu() {
  const { account, accounts } = useSession()
  if (accounts.length < 2) {
    return (
      <span className="account-name" title={account.name} dir="auto">
        {account.name}
      </span>
    )
  }
  const enter = async (id: string) => {
    if (id === account.id) return
    try {
      await switchAccount(id)
      window.location.assign('/')
    } catch (error) {
      toast(toFailure(error).message)
    }
  }
  return (
    <Menu
      label={`${account.name}, switch account`}
      iconOnly={false}
      trigger={
        <>
          <span className="account-name" dir="auto">
            {account.name}
          </span>
          <Icon name="chevron" size={16} />
        </>
      }
      head={<span className="muted small">Your accounts</span>}
      items={accounts.map(({ id, name, role, status }) => ({
        id,
        label: name,
        note: status === 'active' ? role : status,
        icon: 'user',
        chosen: id === account.id,
        onSelect: () => void enter(id),
      }))}
    />
  )
}
