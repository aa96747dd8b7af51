import { Icon } from '../../components/icon.tsx'
import { Menu } from '../../components/overlay/menu.tsx'
import { toast } from '../../components/overlay/toast.tsx'
import { playSound } from '../../inbox/inbox-watch.ts'
import { setPreference, usePreferences } from '../../preferences.ts'

/** Whether this browser says when a customer writes: each person decides, and the browser asks once. */
export function NotifySwitch() {
  const { notify, sound } = usePreferences()
  async function turnOn(): Promise<void> {
    if (!('Notification' in window)) return toast('This browser doesn’t support notifications on this address')
    const permission = await Notification.requestPermission()
    if (permission !== 'granted') return toast('The browser does not allow notifications for this address')
    setPreference('notify', true)
  }
  return (
    <Menu
      label="Notifications"
      trigger={<Icon name={notify || sound ? 'bell' : 'bellOff'} size={16} />}
      items={[
        {
          label: notify ? 'Turn off desktop notifications' : 'Turn on desktop notifications',
          icon: 'monitor',
          onSelect: () => (notify ? setPreference('notify', false) : void turnOn()),
        },
        {
          label: sound ? 'Turn off the sound' : 'Turn on the sound',
          icon: 'bell',
          onSelect: () => {
            setPreference('sound', !sound)
            if (!sound) playSound()
          },
        },
      ]}
    />
  )
}
