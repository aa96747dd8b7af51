import { Icon, type IconName } from '../components/icon.tsx'
import { Menu } from '../components/overlay/menu.tsx'
import { type Preferences, setPreference, usePreferences } from '../preferences.ts'

type Theme = Preferences['theme']

const themes: readonly { theme: Theme; label: string; icon: IconName }[] = [
  { theme: 'system', label: 'System', icon: 'monitor' },
  { theme: 'light', label: 'Light', icon: 'sun' },
  { theme: 'dark', label: 'Dark', icon: 'moon' },
]

export function ThemeMenu() {
  const { theme: current } = usePreferences()
  const shown = themes.find(({ theme }) => theme === current)
  return (
    <Menu
      label="Theme"
      trigger={<Icon name={shown?.icon ?? 'monitor'} size={16} />}
      head={<span className="muted small">Kept in this browser</span>}
      items={themes.map(({ theme, label, icon }) => ({
        label,
        icon,
        chosen: theme === current,
        onSelect: () => setPreference('theme', theme),
      }))}
    />
  )
}
