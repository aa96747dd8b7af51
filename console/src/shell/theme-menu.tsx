import { Icon } from '../components/icon.tsx'
import { Menu } from '../components/menu.tsx'
import { setPreference, usePreferences } from '../preferences.ts'

const icons = { system: 'monitor', light: 'sun', dark: 'moon' } as const

export function ThemeMenu() {
  const { theme } = usePreferences()
  return (
    <Menu
      label="Theme"
      trigger={<Icon name={icons[theme]} size={16} />}
      items={[
        { label: 'As the system', icon: 'monitor', onSelect: () => setPreference('theme', 'system') },
        { label: 'Light', icon: 'sun', onSelect: () => setPreference('theme', 'light') },
        { label: 'Dark', icon: 'moon', onSelect: () => setPreference('theme', 'dark') },
      ]}
    />
  )
}
