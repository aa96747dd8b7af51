import type { Static } from 'typebox'
import { type Author, writeAudited } from '../audit/audit.ts'
import { askPlatform } from '../channels/ask-platform.ts'
import { invalidField } from '../contract/app-error.ts'
import type { ProfileChanges } from '../contract/profile.ts'
import type { ProfileChanges as PlatformChanges } from '../platform/chat-platform.ts'
import type { Runtime } from '../runtime.ts'
import { type ProfileOwner, readProfile, requireOwnNumber, subject } from './get-profile.ts'
import { photoHandle } from './profile-photo.ts'

/** Changes the given fields at the platform, and answers with what is there now. */
export async function updateProfile(
  rt: Runtime,
  owner: ProfileOwner,
  { from, photo, ...given }: Static<typeof ProfileChanges>,
  { actor, context }: Author,
) {
  const texts = Object.fromEntries(Object.entries(given).filter(([, value]) => value != null)) as PlatformChanges
  if (!photo && Object.keys(texts).length === 0) {
    throw invalidField('about', 'one_of_required', 'Give at least one field to change.')
  }
  const number = await requireOwnNumber(rt, owner, from)
  const changes = photo ? { ...texts, photoHandle: await photoHandle(rt, number, photo) } : texts
  await askPlatform(rt, number, subject, () => rt.platform.updateProfile(number.credentials, changes))
  const fields = [...Object.keys(texts), ...(photo ? ['photo'] : [])]
  const targets = [{ type: 'number', id: number.id, name: number.phoneNumber }]
  const { accountId } = number
  await writeAudited(
    rt,
    { accountId, action: 'profile.updated', actor, context, targets, metadata: { fields } },
    () => {},
  )
  return readProfile(rt, number)
}
