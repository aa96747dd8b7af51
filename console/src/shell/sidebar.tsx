import { useEffect } from 'react'
import { Link, useLocation } from 'wouter'
import { Button } from '../components/form/button.tsx'
import { Icon, Mark } from '../components/icon.tsx'
import { addressOf, allowedPages, type ConsolePage } from '../pages.ts'
import { setPreference, usePreferences } from '../preferences.ts'
import { useSession } from '../session.ts'

const groups = ['messages', 'developers', 'account', 'help'] as const

export function Sidebar({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const { actions } = useSession()
  const { folded } = usePreferences()
  const visible = allowedPages(actions)
  useEffect(() => {
    if (!isOpen) return
    const close = (event: KeyboardEvent | PointerEvent) => {
      const outside = event instanceof PointerEvent && !(event.target as Element).closest('.sidebar, .menu-toggle')
      if (outside || (event instanceof KeyboardEvent && event.key === 'Escape')) onClose()
    }
    document.addEventListener('keydown', close)
    document.addEventListener('pointerdown', close)
    return () => {
      document.removeEventListener('keydown', close)
      document.removeEventListener('pointerdown', close)
    }
  }, [isOpen, onClose])
  return (
    <nav className="sidebar" aria-label="Main">
      <Link to="/" className="brand">
        <Mark />
        <span className="fold-label">Postern</span>
      </Link>
      {groups.map((group) => (
        <NavGroup key={group} pages={visible.filter((page) => page.group === group)} />
      ))}
      <div className="sidebar-foot fold-button">
        <Button
          kind="quiet"
          icon="fold"
          label={folded ? 'Show sidebar' : 'Hide sidebar'}
          onClick={() => setPreference('folded', !folded)}
        />
      </div>
    </nav>
  )
}

function NavGroup({ pages }: { pages: readonly ConsolePage[] }) {
  const [path] = useLocation()
  if (pages.length === 0) return null
  return (
    <ul className="nav-group">
      {pages.map((page) => {
        const to = addressOf(page)
        const isHere = to === '/' ? path === '/' : path === to || path.startsWith(`${to}/`)
        return (
          <li key={page.path}>
            <Link to={to} className="nav-link" aria-current={isHere ? 'page' : undefined} title={page.title}>
              <Icon name={page.icon} />
              <span className="fold-label">{page.title}</span>
            </Link>
          </li>
        )
      })}
    </ul>
  )
}
