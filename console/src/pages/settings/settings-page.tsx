import { type ComponentType, lazy } from 'react'
import { Link, Redirect, useParams } from 'wouter'
import { OnDemand } from '../../components/load/load-boundary.tsx'
import { Page } from '../../components/page.tsx'
import { NoPermission } from '../../components/state.tsx'
import { type Action, useMay, useSession } from '../../session.ts'
import { AccountSection } from './account-section.tsx'
import { AlertsSection } from './alerts-section.tsx'
import { MembersSection } from './members-section.tsx'
import { PlanSection } from './plan-section.tsx'
import { SecuritySection } from './security-section.tsx'

const AuditSection = lazy(async () => ({ default: (await import('./audit-section.tsx')).AuditSection }))
const RatesSection = lazy(async () => ({ default: (await import('./rates-section.tsx')).RatesSection }))

type Section = { id: string; title: string; action: Action | null; content: ComponentType }

/** A new section is a file here and a row in this table. */
const groups: readonly { title: string; sections: readonly Section[] }[] = [
  {
    title: 'Workspace',
    sections: [
      { id: 'members', title: 'Members', action: 'members:read', content: MembersSection },
      { id: 'account', title: 'Account and retention', action: 'usage:read', content: AccountSection },
      { id: 'plan', title: 'Plan and limits', action: 'usage:read', content: PlanSection },
      { id: 'rates', title: 'Rate cards', action: 'costs:read', content: RatesSection },
      { id: 'audit', title: 'Audit log', action: 'audit:read', content: AuditSection },
    ],
  },
  {
    title: 'You',
    sections: [
      { id: 'security', title: 'Security', action: null, content: SecuritySection },
      { id: 'alerts', title: 'Alerts', action: null, content: AlertsSection },
    ],
  },
]

export default function SettingsPage() {
  const { section: id } = useParams<{ section?: string }>()
  const { actions } = useSession()
  const visible = groups
    .map(({ title, sections }) => ({
      title,
      sections: sections.filter(({ action }) => action === null || actions.includes(action)),
    }))
    .filter(({ sections }) => sections.length > 0)
  const section = groups.flatMap(({ sections }) => sections).find((one) => one.id === id)
  if (!section) return <Redirect to={`/settings/${visible[0]?.sections[0]?.id ?? 'security'}`} replace />
  return (
    <Page title="Settings">
      <nav className="subnav" aria-label="Settings">
        {visible.map(({ title, sections }) => (
          <ul key={title} aria-label={title}>
            <li className="subnav-title" aria-hidden="true">
              {title}
            </li>
            {sections.map(({ id: other, title: name }) => (
              <li key={other}>
                <Link
                  to={`/settings/${other}`}
                  aria-current={other === id ? 'page' : undefined}
                  ref={other === id ? showWhole : undefined}
                >
                  {name}
                </Link>
              </li>
            ))}
          </ul>
        ))}
      </nav>
      <GuardedSection section={section} />
    </Page>
  )
}

/** On a narrow screen the row of sections scrolls; the current one must not hide. */
function showWhole(link: HTMLElement | null): void {
  link?.scrollIntoView({ block: 'nearest', inline: 'center' })
}

function GuardedSection({ section }: { section: Section }) {
  const { user, owners } = useSession()
  const allowed = useMay(section.action)
  const Content = section.content
  if (!allowed) return <NoPermission role={user.role} what={section.title} owners={owners} />
  return (
    <OnDemand at={section.id}>
      <Content />
    </OnDemand>
  )
}
