import type { Schemas } from '../../api.ts'

export type Profile = Schemas['BusinessProfile']
type Changes = Schemas['BusinessProfileChanges']

/** The form: always two websites, so that a field is where it was. */
export type ProfileDraft = {
  about: string
  address: string
  description: string
  email: string
  vertical: string
  websites: [string, string]
}

export function draftOf({ about, address, description, email, vertical, websites }: Profile): ProfileDraft {
  return {
    about: about ?? '',
    address: address ?? '',
    description: description ?? '',
    email: email ?? '',
    vertical: vertical ?? '',
    websites: [websites[0] ?? '', websites[1] ?? ''],
  }
}

/** Only what was changed: Meta keeps the other fields, also those that were changed elsewhere meanwhile. */
export function changesOf(start: ProfileDraft, draft: ProfileDraft): Changes {
  const changes: Record<string, unknown> = {}
  for (const name of ['about', 'address', 'description', 'email', 'vertical'] as const) {
    if (draft[name] !== start[name]) changes[name] = draft[name].trim()
  }
  if (String(draft.websites) !== String(start.websites)) changes.websites = websitesOf(draft)
  return changes
}

function websitesOf({ websites }: ProfileDraft): string[] {
  return websites.map((website) => website.trim()).filter(Boolean)
}

/** Where a website stands in the request, which leaves empty fields out. */
export function websitePlace({ websites }: ProfileDraft, index: number): number {
  return websites.slice(0, index).filter((website) => website.trim()).length
}
