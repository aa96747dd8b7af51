import { useEffect, useRef, useState } from 'react'
import { Field } from '../../components/form/field.tsx'
import { Icon } from '../../components/icon.tsx'
import type { Profile } from './profile-draft.ts'

type PhotoProps = {
  id: string
  profile: Profile
  /** One that was chosen and is not saved yet. */
  photo: File | null
  error: string | undefined
  /** Null: this person may only look. */
  onChange: ((photo: File | null) => void) | null
}

/** The photo as customers see it: round, and the new one as soon as it is chosen. */
export function ProfilePhoto({ id, profile, photo, error, onChange }: PhotoProps) {
  const chosen = useObjectUrl(photo)
  const [broken, setBroken] = useState<string | null>(null)
  // Meta gives each photo an address of its own, which makes ours another one too.
  const saved =
    profile.photo_url && `/console/api/profile/photo?${new URLSearchParams({ from: id, t: keyOf(profile.photo_url) })}`
  const source = chosen ?? saved
  const field = useRef<HTMLInputElement>(null)
  // The field says which file was chosen, also on return to the page, and none once it was saved or thrown away.
  useEffect(() => {
    const held = new DataTransfer()
    if (photo) held.items.add(photo)
    if (field.current) field.current.files = held.files
  }, [photo])
  return (
    <div className="profile-photo">
      {source && source !== broken ? (
        <img
          src={source}
          width={96}
          height={96}
          alt={chosen ? 'The new photo, not saved yet' : 'The photo customers see'}
          onError={() => setBroken(source)}
        />
      ) : (
        <span className="profile-photo-none" role="img" aria-label={source ? 'The photo cannot be shown' : 'No photo'}>
          <Icon name={source ? 'alert' : 'user'} size={32} />
        </span>
      )}
      {onChange ? (
        <Field
          ref={field}
          label="Photo"
          type="file"
          accept="image/jpeg,image/png"
          hint={photo ? 'Saved together with the profile.' : 'JPEG or PNG, at most 5 MB, square; best 640 × 640 pixels'}
          error={error}
          onChange={(event) => {
            const [file] = event.target.files ?? []
            if (file) onChange(file)
          }}
        />
      ) : (
        <span className="muted">{saved ? 'Photo' : 'No photo'}</span>
      )}
    </div>
  )
}

function useObjectUrl(file: File | null): string | null {
  const [url, setUrl] = useState<string | null>(null)
  useEffect(() => {
    const made = file && URL.createObjectURL(file)
    setUrl(made)
    return () => {
      if (made) URL.revokeObjectURL(made)
    }
  }, [file])
  return url
}

/** Short enough for an address; a photo that is still the old one is the worst that can come of two that are equal. */
function keyOf(url: string): string {
  let hash = 0
  for (const character of url) hash = (hash * 31 + (character.codePointAt(0) ?? 0)) | 0
  return String(hash)
}
