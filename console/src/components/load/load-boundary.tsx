import { Component, type ReactNode, Suspense, useEffect } from 'react'
import { buttons } from '../../texts.ts'
import { Button } from '../form/button.tsx'
import { useSubmit } from '../form/use-submit.ts'
import { Icon } from '../icon.tsx'
import { FailureNotice, Notice } from '../state.tsx'
import { moveToNewerConsole, readDocument } from './newer-console.ts'

type Props = {
  /** What is shown; another address gets a new attempt. */
  at?: string
  instead: ReactNode
  children: ReactNode
}

/** Holds what cannot be loaded or drawn, which would otherwise take everything around it away too. */
export class LoadBoundary extends Component<Props, { hasFailed: boolean }> {
  override state = { hasFailed: false }

  static getDerivedStateFromError() {
    return { hasFailed: true }
  }

  override componentDidUpdate({ at }: Props): void {
    if (this.state.hasFailed && at !== this.props.at) this.setState({ hasFailed: false })
  }

  override render(): ReactNode {
    return this.state.hasFailed ? this.props.instead : this.props.children
  }
}

/** What loads when it is asked for, such as a dialog. */
export function OnDemand({ children, at = '' }: { children: ReactNode; at?: string }) {
  return (
    <LoadBoundary at={at} instead={<Notice tone="error">This could not be loaded. Reload the page.</Notice>}>
      <Suspense fallback={null}>{children}</Suspense>
    </LoadBoundary>
  )
}

export const notLoaded = 'This page could not be loaded.'

/** What to do about it. Browsers remember a script that failed: only a new document asks for it again. */
export function LoadAgain() {
  useEffect(() => {
    const shown = new AbortController()
    void moveToNewerConsole(shown.signal)
    return () => shown.abort()
  }, [])
  // Without a gateway, the browser would put its own error in the place of the console.
  const again = useSubmit(async () => {
    await readDocument()
    window.location.reload()
  })
  return (
    <>
      <p className="muted">
        The gateway may have stopped, or it was upgraded while this tab was open. Trying again reloads the console.
      </p>
      <FailureNotice failure={again.failure} />
      <div>
        <Button icon="refresh" busy={again.busy} onClick={() => void again.submit()}>
          {buttons.tryAgain}
        </Button>
      </div>
    </>
  )
}

/** In the place of a page. */
export function PageNotLoaded() {
  return (
    <div className="state" role="alert">
      <span className="state-icon" data-tone="neutral">
        <Icon name="alert" size={24} />
      </span>
      <h2>{notLoaded}</h2>
      <LoadAgain />
    </div>
  )
}
