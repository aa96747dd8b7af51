import type { ReactNode } from 'react'
import { buttons } from '../../texts.ts'
import { Button } from '../form/button.tsx'
import type { useSubmit } from '../form/use-submit.ts'
import type { IconName } from '../icon.tsx'
import { Dialog } from './dialog.tsx'

type FormDialogProps = {
  title: string
  form: Pick<ReturnType<typeof useSubmit>, 'busy' | 'onSubmit'>
  /** The words of the button that submits the form. */
  act: string
  kind?: 'primary' | 'danger'
  icon?: IconName
  disabled?: boolean
  /** For a dialog that keeps a draft: Cancel throws it away, closing does not. */
  onCancel?: () => void
  onClose: () => void
  children: ReactNode
}

/** A dialog that does one thing, or is cancelled. */
export function FormDialog(props: FormDialogProps) {
  const { title, form, act, kind = 'primary', icon, disabled = false, onClose, onCancel = onClose, children } = props
  return (
    <Dialog
      {...{ title, onClose }}
      onSubmit={form.onSubmit}
      foot={
        <>
          <Button onClick={onCancel}>{buttons.cancel}</Button>
          <Button type="submit" {...{ kind, disabled }} {...(icon && { icon })} busy={form.busy}>
            {act}
          </Button>
        </>
      }
    >
      {children}
    </Dialog>
  )
}
