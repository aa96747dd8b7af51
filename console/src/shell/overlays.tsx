import { SignOutDialog } from '../components/overlay/sign-out-dialog.tsx'
import { HelpDialog } from './help-dialog.tsx'
import { Palette } from './palette.tsx'

export type Overlay = 'palette' | 'help' | 'sign-out'

/** What lies over a page when asked for. A file of its own, which loads behind the first page. */
export default function Overlays({ open, onOpen }: { open: Overlay; onOpen: (overlay: Overlay | null) => void }) {
  const close = () => onOpen(null)
  if (open === 'help') return <HelpDialog onClose={close} />
  if (open === 'sign-out') return <SignOutDialog onClose={close} />
  return <Palette onClose={close} onHelp={() => onOpen('help')} onSignOut={() => onOpen('sign-out')} />
}
