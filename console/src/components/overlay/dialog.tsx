import { type ReactNode, type SyntheticEvent, useEffect, useId, useRef } from 'react'
import { Button } from '../form/button.tsx'

type DialogProps = {
  title: string
  children: ReactNode
  foot?: ReactNode
  /** Makes the dialog a form: Enter in a field does what its submit button does. */
  onSubmit?: (event: SyntheticEvent) => void
  onClose: () => void
  className?: 'dialog' | 'drawer'
}

/** The native one: it traps focus, gives it back and closes on Escape by itself. Mount it to open it. */
export function Dialog({ title, children, foot, onSubmit, onClose, className = 'dialog' }: DialogProps) {
  const id = useId()
  const element = useModal()
  // Who selects text and lets go of the mouse outside did not mean to close it.
  const pressedOutside = useRef(false)
  const content = (
    <>
      <div className={`${className}-body`}>{children}</div>
      {foot && <div className="dialog-foot">{foot}</div>}
    </>
  )
  return (
    <dialog
      ref={element}
      className={className}
      aria-labelledby={id}
      onCancel={(event) => stay(event, onClose)}
      onPointerDown={(event) => {
        pressedOutside.current = isBackdrop(event)
      }}
      onClick={(event) => isBackdrop(event) && pressedOutside.current && onClose()}
      onKeyDown={() => {}}
    >
      <div className={`${className}-head`}>
        <h2 id={id}>{title}</h2>
        <Button kind="quiet" icon="close" label="Close" onClick={onClose} />
      </div>
      {onSubmit ? (
        // The gateway says what is wrong, in its own words and beside the field.
        <form className="dialog-form" noValidate onSubmit={onSubmit}>
          {content}
        </form>
      ) : (
        content
      )}
    </dialog>
  )
}

/** A dialog at the side, for the details of a row. */
export function Drawer(props: Omit<DialogProps, 'className'>) {
  return <Dialog {...props} className="drawer" />
}

/** Opens with its mounting and hands the focus back to where it came from. */
export function useModal() {
  const element = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    const dialog = element.current
    const before = document.activeElement
    if (dialog && !dialog.open) {
      dialog.showModal()
      // The browser takes the first button, which closes; people come to write.
      dialog.querySelector<HTMLElement>('input:not([type=checkbox]), textarea')?.focus()
    }
    return () => {
      dialog?.close()
      // What opened it may be gone with its row; then the content of the page is the place to go on from.
      const back = before instanceof HTMLElement && before.isConnected ? before : document.getElementById('content')
      back?.focus({ preventScroll: true })
    }
  }, [])
  return element
}

/** React decides whether the dialog is there; the browser only asks. */
function stay(event: SyntheticEvent, onClose: () => void): void {
  event.preventDefault()
  onClose()
}

function isBackdrop(event: SyntheticEvent): boolean {
  return event.target === event.currentTarget
}
