import { useLocation } from 'wouter'
import { Icon } from '../components/icon.tsx'
import { Menu } from '../components/overlay/menu.tsx'
import { setPreference, usePreferences } from '../preferences.ts'
import { useSession } from '../session.ts'

export function UserMenu({ onHelp, onSignOut }: { onHelp: () => void; onSignOut: () => void }) {
  const { user } = useSession()
  const { utc } = usePreferences()
  const [, go] = useLocation()
  return (
    <Menu
      label="Your account"
      trigger={<Icon name="user" size={16} />}
      head={
        <>
          <strong>{user.name}</strong>
          <div className="muted small">
            {user.email} · <span className="role">{user.role}</span>
          </div>
        </>
      }
      items={[
        { label: 'Profile and sessions', icon: 'shield', onSelect: () => go('/settings/security') },
        {
          label: utc ? 'Times in your time zone' : 'Times in UTC',
          icon: 'clock',
          onSelect: () => setPreference('utc', !utc),
        },
        { label: 'Keyboard shortcuts', icon: 'help', onSelect: onHelp },
        { label: 'Sign out', icon: 'out', onSelect: onSignOut },
      ]}
    />
  )
}
