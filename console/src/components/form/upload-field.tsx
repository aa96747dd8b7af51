import { useRef, useState } from 'react'
import { type ApiFailure, toFailure, uploadFile } from '../../api.ts'
import { FailureNotice } from '../state.tsx'
import { Field } from './field.tsx'

type UploadProps = {
  label: string
  /** As `accept` of a file input takes it. */
  accept: string
  hint?: string | undefined
  error?: string | undefined
  /** The id of the uploaded file, or nothing while there is none. */
  mediaId: string
  onChange: (mediaId: string) => void
}

/** A file that is uploaded as soon as it is chosen. */
export function UploadField({ label, accept, hint, error, mediaId, onChange }: UploadProps) {
  const newest = useRef<File | null>(null)
  const [isBusy, setBusy] = useState(false)
  const [failure, setFailure] = useState<ApiFailure | null>(null)

  async function upload(file: File | null): Promise<void> {
    newest.current = file
    setFailure(null)
    setBusy(file !== null)
    // A file chosen before must not be sent in place of this one.
    onChange('')
    if (file === null) return
    try {
      const { media_id: id } = await uploadFile(file)
      if (newest.current === file) onChange(id)
    } catch (caught) {
      if (newest.current === file) setFailure(toFailure(caught))
    } finally {
      if (newest.current === file) setBusy(false)
    }
  }

  return (
    <div className="stack stack-tight">
      <Field
        label={label}
        type="file"
        accept={accept}
        hint={isBusy ? 'Uploading…' : mediaId ? 'Uploaded.' : hint}
        error={isBusy ? undefined : error}
        aria-busy={isBusy}
        onChange={(event) => void upload(event.target.files?.[0] ?? null)}
      />
      <FailureNotice failure={failure} />
    </div>
  )
}
