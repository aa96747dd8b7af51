import { type SyntheticEvent, useEffect, useRef, useState } from 'react'
import { type ApiFailure, toFailure } from '../../api.ts'
import { noticeSignOut } from '../../query-client.ts'

/** The life of a form: one submission at a time, and the API's refusal with the field it is about. */
export function useSubmit(act: () => Promise<void>) {
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<ApiFailure | null>(null)
  const element = useRef<Element>(null)
  // The field may be far above the button that was pressed.
  useEffect(() => {
    if (failure) element.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus()
  }, [failure])

  async function submit(): Promise<void> {
    if (busy) return
    setBusy(true)
    setFailure(null)
    try {
      await act()
    } catch (error) {
      setFailure(toFailure(error))
      noticeSignOut(error)
    } finally {
      setBusy(false)
    }
  }

  return {
    busy,
    failure,
    /** The sentence for one field, for `error` of its Field. */
    errorOf: (field: string) => failure?.fields.get(field),
    /** Shown apart only when no field carries it. */
    general: failure && failure.fields.size === 0 ? failure : null,
    submit,
    onSubmit: (event: SyntheticEvent) => {
      event.preventDefault()
      element.current = event.currentTarget
      void submit()
    },
  }
}
