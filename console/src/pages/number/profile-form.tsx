import { useQueryClient } from '@tanstack/react-query'
import { api, call, uploadFile } from '../../api.ts'
import { verticals } from '../../api-values.ts'
import { Button } from '../../components/form/button.tsx'
import { Field, Select, TextArea } from '../../components/form/field.tsx'
import { UnsavedNote } from '../../components/form/unsaved-note.tsx'
import { useSubmit } from '../../components/form/use-submit.ts'
import { toast } from '../../components/overlay/toast.tsx'
import { FailureNotice } from '../../components/state.tsx'
import { useKeptDraft, useKeptFile, useWarnBeforeUnload } from '../../drafts.ts'
import { useMay, useSession } from '../../session.ts'
import { changesOf, draftOf, type Profile, type ProfileDraft, websitePlace } from './profile-draft.ts'
import { ProfilePhoto } from './profile-photo.tsx'

/** What customers see; saved at Meta, which customers see within minutes. */
export function ProfileForm({ id, profile }: { id: string; profile: Profile }) {
  const client = useQueryClient()
  const { user } = useSession()
  const mayWrite = useMay('profile:write')
  const start = draftOf(profile)
  // A draft belongs to the profile it began with.
  const [draft, keep] = useKeptDraft(user.id, `profile.${id}.${JSON.stringify(start)}`, start)
  const [photo, setPhoto] = useKeptFile(user.id, `profile.${id}`)
  const changes = changesOf(start, draft)
  const isChanged = photo !== null || Object.keys(changes).length > 0
  useWarnBeforeUnload(isChanged)
  const form = useSubmit(async () => {
    if (!isChanged) return toast('Nothing was changed')
    const file = photo && (await uploadFile(photo))
    const body = { ...changes, from: id, ...(file && { photo: { media_id: file.media_id } }) }
    const saved = await call(api.PUT('/console/api/profile', { body }))
    keep(null)
    setPhoto(null)
    client.setQueryData(['profile', id], saved)
    toast('Saved')
  })
  return (
    <form className="card card-body form" onSubmit={form.onSubmit}>
      <fieldset className="form" disabled={!mayWrite}>
        <ProfilePhoto {...{ id, profile, photo }} error={photoError(form)} onChange={mayWrite ? setPhoto : null} />
        <Fields {...{ draft, form }} onChange={(part) => keep({ ...draft, ...part })} />
        <FailureNotice failure={photoError(form) ? null : form.general} />
        {mayWrite && (
          <div>
            <Button kind="primary" type="submit" busy={form.busy}>
              Save
            </Button>
          </div>
        )}
        {isChanged && (
          <UnsavedNote
            onDiscard={() => {
              keep(null)
              setPhoto(null)
            }}
          />
        )}
      </fieldset>
    </form>
  )
}

/** Refusals of files name no field. */
function photoError({ failure, errorOf }: ReturnType<typeof useSubmit>): string | undefined {
  return errorOf('photo') ?? (failure?.code.startsWith('media_') ? failure.message : undefined)
}

type FieldsProps = {
  draft: ProfileDraft
  form: ReturnType<typeof useSubmit>
  onChange: (part: Partial<ProfileDraft>) => void
}

function Fields({ draft, form, onChange }: FieldsProps) {
  const text = (name: 'about' | 'address' | 'description' | 'email', charactersMax: number) => ({
    value: draft[name],
    dir: 'auto',
    hint: `${Array.from(draft[name]).length} of ${charactersMax} characters`,
    error: form.errorOf(name),
    onChange: (event: { target: { value: string } }) => onChange({ [name]: event.target.value }),
  })
  return (
    <>
      <Field label="About" {...text('about', 139)} />
      <TextArea label="Description" optional {...text('description', 512)} />
      <Select
        label="Category"
        optional
        value={draft.vertical}
        options={categories(draft.vertical)}
        error={form.errorOf('vertical')}
        onChange={(event) => onChange({ vertical: event.target.value })}
      />
      <TextArea label="Address" optional {...text('address', 256)} />
      <Field label="Email" optional type="text" inputMode="email" autoComplete="off" {...text('email', 128)} />
      {draft.websites.map((website, index) => (
        <Field
          // biome-ignore lint/suspicious/noArrayIndexKey: two fields that never move
          key={index}
          label={index === 0 ? 'Website' : 'Second website'}
          optional
          dir="ltr"
          inputMode="url"
          placeholder="https://"
          value={website}
          error={
            form.errorOf(`websites[${websitePlace(draft, index)}]`) ??
            (index === 0 ? form.errorOf('websites') : undefined)
          }
          onChange={(event) => {
            const { value } = event.target
            onChange({ websites: index === 0 ? [value, draft.websites[1]] : [draft.websites[0], value] })
          }}
        />
      ))}
    </>
  )
}

/** Meta's list; a category that it added since stays as it is. */
function categories(current: string) {
  const known = Object.entries(verticals).map(([value, label]) => ({ value, label }))
  const isKnown = current === '' || current in verticals
  return [{ value: '', label: 'None' }, ...known, ...(isKnown ? [] : [{ value: current, label: current }])]
}
