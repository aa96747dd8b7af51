/** Other ways one phone number is written: `same` is the same person, `possible` may be another person. */
export type PhoneForms = { same: string[]; possible: string[] }

/**
 * WhatsApp knows many people of Mexico and Brazil under another form of their number than the one they dial.
 * - Mexico: +52 and ten digits, with or without a 1 behind the country code.
 * - Brazil: mobile numbers got a ninth digit, a 9 in front. Eight digits beginning with 6 to 9 were mobile numbers before,
 *   so both forms are one person. Without its 9, a newer number looks like a landline, which may be another person's.
 */
export function phoneForms(phone: string): PhoneForms {
  const [, mexican] = /^\+521?(\d{10})$/.exec(phone) ?? []
  if (mexican !== undefined) return { same: others(phone, [`+52${mexican}`, `+521${mexican}`]), possible: [] }
  const [, area, subscriber] = /^\+55(\d\d)9?(\d{8})$/.exec(phone) ?? []
  if (area === undefined || subscriber === undefined) return { same: [], possible: [] }
  const forms = others(phone, [`+55${area}${subscriber}`, `+55${area}9${subscriber}`])
  return /^[6-9]/.test(subscriber) ? { same: forms, possible: [] } : { same: [], possible: forms }
}

function others(phone: string, forms: readonly string[]): string[] {
  return forms.filter((form) => form !== phone)
}
