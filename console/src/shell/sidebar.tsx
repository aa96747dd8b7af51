import { type RefObject, useEffect, useRef } from 'react'
import { Link, useLocation } from 'wouter'
import { Button } from '../components/form/button.tsx'
import { Icon, Mark } from '../components/icon.tsx'
import { countText, useInboxCounts } from '../inbox/inbox-counts.ts'
import { addressOf, allowedPages, type ConsolePage } from '../pages.ts'
import { setPreference, usePreferences } from '../preferences.ts'
import { useSession } from '../session.ts'

const groups = ['messages', 'developers', 'account', 'help'] as const

export function Sidebar({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const { actions } = useSession()
  const { folded } = usePreferences()
  const visible = allowedPages(actions)
  const nav = useRef<HTMLElement>(null)
  useNarrowMenu(nav, isOpen, onClose)
  return (
    <nav className="sidebar" aria-label="Main" ref={nav}>
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

/** On a narrow screen the sidebar lies over the page: it takes the focus, and closes when that or a press goes elsewhere. */
function useNarrowMenu(nav: RefObject<HTMLElement | null>, isOpen: boolean, onClose: () => void): void {
  useEffect(() => {
    if (isOpen) nav.current?.querySelector('a')?.focus()
  }, [nav, isOpen])
  useEffect(() => {
    if (!isOpen) return
    const closeOutside = ({ target }: Event) => {
      if (!(target as Element).closest('.sidebar, .menu-toggle')) onClose()
    }
    const closeByKey = ({ key }: KeyboardEvent) => {
      if (key !== 'Escape') return
      onClose()
      document.querySelector<HTMLElement>('.menu-toggle button')?.focus()
    }
    document.addEventListener('keydown', closeByKey)
    document.addEventListener('pointerdown', closeOutside)
    document.addEventListener('focusin', closeOutside)
    return () => {
      document.removeEventListener('keydown', closeByKey)
      document.removeEventListener('pointerdown', closeOutside)
      document.removeEventListener('focusin', closeOutside)
    }
  }, [isOpen, onClose])
}

function UnreadCount() {
  const counts = useInboxCounts()
  if (!counts || counts.unread === 0) return null
  return (
    <span className="count nav-count">
      {countText(counts.unread, counts.counted_max)} <span className="visually-hidden">to read</span>
    </span>
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
              {page.path === '/conversations' && <UnreadCount />}
            </Link>
          </li>
        )
      })}
    </ul>
  )
}
