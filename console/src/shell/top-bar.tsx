import { Button } from '../components/form/button.tsx'
import { Icon } from '../components/icon.tsx'
import { useSession } from '../session.ts'
import { AccountMenu } from './account-menu.tsx'
import { QuotaMeter } from './quota-meter.tsx'
import { ThemeMenu } from './theme-menu.tsx'
import { UserMenu } from './user-menu.tsx'

type TopBarProps = {
  isMenuOpen: boolean
  onMenu: () => void
  onSearch: () => void
  onHelp: () => void
  onSignOut: () => void
}

export function TopBar({ isMenuOpen, onMenu, onSearch, onHelp, onSignOut }: TopBarProps) {
  const { account } = useSession()
  return (
    <header className="top-bar">
      <span className="menu-toggle">
        <Button kind="quiet" icon="menu" label="Menu" aria-expanded={isMenuOpen} onClick={onMenu} />
      </span>
      <AccountMenu />
      {account.sandbox && <span className="sandbox-badge">SANDBOX</span>}
      <span className="grow" />
      <button type="button" className="search-button" onClick={onSearch}>
        <Icon name="search" size={16} />
        <span className="label">Search</span>
        <kbd>Ctrl K</kbd>
      </button>
      <QuotaMeter />
      <span className="wide-only">
        <Button kind="quiet" icon="help" label="Help and shortcuts" onClick={onHelp} />
      </span>
      <ThemeMenu />
      <UserMenu onHelp={onHelp} onSignOut={onSignOut} />
    </header>
  )
}
