import { Suspense, useEffect, useRef, useState } from 'react'
import { Redirect, Route, Switch, useLocation, useSearch } from 'wouter'
import { LoadBoundary, PageNotLoaded } from '../components/load/load-boundary.tsx'
import { ConfirmationProvider } from '../components/overlay/confirmation.tsx'
import { Page } from '../components/page.tsx'
import { EmptyState, NoPermission, Skeleton } from '../components/state.tsx'
import { scrollToReturnTo } from '../history-memory.ts'
import { InboxSignals } from '../inbox/inbox-signals.tsx'
import { useLiveUpdates } from '../live.ts'
import { addressOf, allowedPages, type ConsolePage, pages } from '../pages.ts'
import { usePreferences } from '../preferences.ts'
import { useMay, useSession } from '../session.ts'
import { ConnectionBanner } from './connection-banner.tsx'
import type { Overlay } from './overlays.tsx'
import { SessionWarning } from './session-warning.tsx'
import { useShortcuts } from './shortcuts.ts'
import { Sidebar } from './sidebar.tsx'
import { SuspendedBanner } from './suspended-banner.tsx'
import { TopBar } from './top-bar.tsx'

const loadOverlays = () => import('./overlays.tsx')

/** The frame around every page: sidebar, top bar, shortcuts, live updates. */
export function Shell() {
  const { account } = useSession()
  const { folded } = usePreferences()
  const [path] = useLocation()
  const [overlay, setOverlay] = useState<Overlay | null>(null)
  const [menuPath, setMenuPath] = useState<string | null>(null)
  // Going somewhere closes the menu of a narrow screen.
  const isMenuOpen = menuPath === path
  useLiveUpdates()
  useShortcuts({ openPalette: () => setOverlay('palette'), openHelp: () => setOverlay('help') })
  const main = useFocusOnArrival(path)
  const Overlays = useOverlays()
  return (
    <ConfirmationProvider>
      <div className="shell" data-folded={folded} data-sandbox={account.sandbox} data-menu={isMenuOpen ? 'open' : ''}>
        <InboxSignals />
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
        {overlay && Overlays && <Overlays open={overlay} onOpen={setOverlay} />}
      </div>
    </ConfirmationProvider>
  )
}

/** Loaded behind the first page, and then at hand: while `lazy` waits, the first letters after Ctrl-K would be lost. */
function useOverlays() {
  const [loaded, setLoaded] = useState<Awaited<ReturnType<typeof loadOverlays>> | null>(null)
  // Without dependencies: after a failed load, the next render tries again.
  useEffect(() => {
    if (loaded === null) loadOverlays().then(setLoaded, () => {})
  })
  return loaded?.default ?? null
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
