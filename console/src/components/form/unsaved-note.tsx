import { Button } from './button.tsx'

/** For a form whose draft is kept. Stands below it, so that it moves nothing under the hands of the writer. */
export function UnsavedNote({ onDiscard }: { onDiscard: () => void }) {
  function discard(): void {
    onDiscard()
    // The button is gone with the changes, and the focus would be with it.
    document.getElementById('content')?.focus({ preventScroll: true })
  }
  return (
    <p className="row small muted">
      Not saved yet. Your draft stays in this tab until you save it or sign out.
      <Button kind="quiet" onClick={discard}>
        Discard changes
      </Button>
    </p>
  )
}
