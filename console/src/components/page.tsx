import { type ReactNode, useEffect } from 'react'
import { Link } from 'wouter'

type PageProps = {
  title: string
  lead?: ReactNode
  /** The one thing most people come for. */
  action?: ReactNode
  trail?: readonly { title: string; to: string }[]
  children: ReactNode
}

/** Breadcrumb, heading, one primary button, then the content. Sets the title of the tab. */
export function Page({ title, lead, action, trail = [], children }: PageProps) {
  useEffect(() => {
    document.title = `${title} · Postern`
  }, [title])
  return (
    <>
      <div className="page-head">
        <div>
          {trail.length > 0 && (
            <nav aria-label="Breadcrumb">
              <ol className="breadcrumb">
                {trail.map((step) => (
                  <li key={step.to} className="breadcrumb-step">
                    <Link to={step.to}>{step.title}</Link>
                  </li>
                ))}
                <li aria-current="page" className="breadcrumb-step">
                  <bdi>{title}</bdi>
                </li>
              </ol>
            </nav>
          )}
          <h1 dir="auto">{title}</h1>
          {lead && <p className="page-lead">{lead}</p>}
        </div>
        {action}
      </div>
      {children}
    </>
  )
}

/** The call that does the same as this page; folded, because not everybody wants it. */
export function SameByCode({ children }: { children: ReactNode }) {
  return (
    <details className="same-by-code">
      <summary>Use the API</summary>
      {children}
    </details>
  )
}
