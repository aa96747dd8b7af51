import { Suspense, useEffect, useRef, useState } from 'react'
import { Redirect, Route, Switch, useLocation, useSearch } from 'wouter'
import { LoadBoundary, PageNotLoaded } from '../components/load/load-boundary.tsx'
import { ConfirmationProvider } from '../components/overlay/confirmation.tsx'
import { SignOutDialog } from '../components/overlay/sign-out-dialog.tsx'
import { Page } from '../components/page.tsx'
import { EmptyState, NoPermission, Skeleton } from '../components/state.tsx'
import { scrollToReturnTo } from '../history-memory.ts'
import { useLiveUpdates } from '../live.ts'
import { addressOf, allowedPages, type ConsolePage, pages } from '../pages.ts'
import { usePreferences } from '../preferences.ts'
import { useMay, useSession } from '../session.ts'
import { ConnectionBanner } from './connection-banner.tsx'
import { HelpDialog } from './help-dialog.tsx'
import { Palette } from './palette.tsx'
import { SessionWarning } from './session-warning.tsx'
import { useShortcuts } from './shortcuts.ts'
import { Sidebar } from './sidebar.tsx'
import { SuspendedBanner } from './suspended-banner.tsx'
import { TopBar } from './top-bar.tsx'

/** The frame around every page: sidebar, top bar, shortcuts, live updates. */
export function Shell() {
  const { account } = useSession()
  const { folded } = usePreferences()
  const [path] = useLocation()
  const [overlay, setOverlay] = useState<'palette' | 'help' | 'sign-out' | null>(null)
  const [menuPath, setMenuPath] = useState<string | null>(null)
  // Going somewhere closes the menu of a narrow screen.
  const isMenuOpen = menuPath === path
  useLiveUpdates()
  useShortcuts({ openPalette: () => setOverlay('palette'), openHelp: () => setOverlay('help') })
  const main = useFocusOnArrival(path)
  return (
    <ConfirmationProvider>
      <div className="shell" data-folded={folded} data-sandbox={account.sandbox} data-menu={isMenuOpen ? 'open' : ''}>
        <a className="skip-link" href="#content">
          Skip to content
        </a>
        <Sidebar onClose={() => setMenuPath(null)} isOpen={isMenuOpen} />
        <div className="main-column">
          <TopBar
            isMenuOpen={isMenuOpen}
            onMenu={() => setMenuPath(isMenuOpen ? null : path)}
            onSearch={() => setOverlay('palette')}
            onHelp={() => setOverlay('help')}
            onSignOut={() => setOverlay('sign-out')}
          />
          <SessionWarning />
          <SuspendedBanner />
          <ConnectionBanner />
          <main id="content" className="page" tabIndex={-1} ref={main}>
            <Suspense fallback={<Skeleton />}>
              <Switch>
                {pages.map((page) => (
                  <Route key={page.path} path={page.path}>
                    <GuardedPage page={page} />
                  </Route>
                ))}
                <Route>
                  <ElsewherePage path={path} />
                </Route>
              </Switch>
            </Suspense>
          </main>
        </div>
        {overlay === 'palette' && (
          <Palette
            onClose={() => setOverlay(null)}
            onHelp={() => setOverlay('help')}
            onSignOut={() => setOverlay('sign-out')}
          />
        )}
        {overlay === 'help' && <HelpDialog onClose={() => setOverlay(null)} />}
        {overlay === 'sign-out' && <SignOutDialog onClose={() => setOverlay(null)} />}
      </div>
    </ConfirmationProvider>
  )
}

function GuardedPage({ page }: { page: ConsolePage }) {
  const { user, owners } = useSession()
  const allowed = useMay(page.action)
  const [path] = useLocation()
  const search = useSearch()
  const Content = page.component
  if (allowed) {
    const instead = (
      <Page title={page.title}>
        <PageNotLoaded />
      </Page>
    )
    return (
      <LoadBoundary at={`${path}?${search}`} instead={instead}>
        <Content />
      </LoadBoundary>
    )
  }
  return (
    <Page title={page.title}>
      <NoPermission role={user.role} what={page.title} owners={owners} />
    </Page>
  )
}

/** The start leads to the first page the role may see; other unknown addresses say that they are. */
function ElsewherePage({ path }: { path: string }) {
  const { actions } = useSession()
  const [first] = allowedPages(actions)
  if (first && ['/', '/setup', '/sign-in'].includes(path)) return <Redirect to={addressOf(first)} replace />
  return (
    <Page title="Not found">
      <EmptyState icon="gate" title="This page does not exist">
        <p>The address may be mistyped, or the page was moved. Ctrl-K finds every page.</p>
      </EmptyState>
    </Page>
  )
}

/** A page that was opened by a link gets the focus, so that readers start at its beginning; one come back to, its place. */
function useFocusOnArrival(path: string) {
  const main = useRef<HTMLElement>(null)
  const before = useRef(path)
  useEffect(() => {
    if (before.current === path) return
    before.current = path
    window.scrollTo(0, scrollToReturnTo() ?? 0)
    if (!document.querySelector('dialog[open]')) main.current?.focus({ preventScroll: true })
  }, [path])
  return main
}
