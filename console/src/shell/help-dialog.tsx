import { Fragment } from 'react'
import { Link } from 'wouter'
import { Check } from '../components/form/field.tsx'
import { Dialog } from '../components/overlay/dialog.tsx'
import { allowedPages } from '../pages.ts'
import { setPreference, usePreferences } from '../preferences.ts'
import { useSession } from '../session.ts'

const keys: readonly [keys: readonly string[], meaning: string][] = [
  [['Ctrl', 'K'], 'Find pages, ids and actions'],
  [['/'], 'Search on this page'],
  [['?'], 'This help'],
  [['['], 'Hide or show the sidebar'],
  [['j'], 'Next row'],
  [['k'], 'Previous row'],
  [['Enter'], 'Open the row'],
  [['c'], 'Copy the id of the row'],
  [['f'], 'Messages: only this customer'],
  [['u'], 'Conversations: next unread'],
  [['r'], 'Conversations: reply; deliveries: retry the row'],
  [['t'], 'Conversations: send a template'],
  [['a'], 'Conversations: assign to me'],
  [['e'], 'Conversations: close or reopen'],
  [['x'], 'Deliveries: select the row'],
  [['Esc'], 'Close the open dialog'],
]

export function HelpDialog({ onClose }: { onClose: () => void }) {
  const { actions, version } = useSession()
  const { shortcuts } = usePreferences()
  const goTo = allowedPages(actions).flatMap(({ goKey, title }) =>
    goKey ? [[['g', goKey], `Go to ${title}`] as const] : [],
  )
  return (
    <Dialog title="Help" onClose={onClose}>
      <p>
        <Link onClick={onClose} to="/help/guides">
          Guides
        </Link>
        ,{' '}
        <Link onClick={onClose} to="/help/api">
          API reference
        </Link>
        ,{' '}
        <Link onClick={onClose} to="/help/events">
          events
        </Link>{' '}
        and{' '}
        <Link onClick={onClose} to="/help/errors">
          errors
        </Link>{' '}
        are part of this gateway and work offline. Version {version}.
      </p>
      <h3>Keyboard</h3>
      <div className="shortcut-list">
        {[...keys, ...goTo].map(([combination, meaning]) => (
          <Fragment key={meaning}>
            <span className="row">
              {combination.map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </span>
            <span>{meaning}</span>
          </Fragment>
        ))}
      </div>
      <Check checked={shortcuts} onChange={(event) => setPreference('shortcuts', event.target.checked)}>
        Single-key shortcuts <span className="muted">(kept in this browser)</span>
      </Check>
    </Dialog>
  )
}
