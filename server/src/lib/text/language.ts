/**
 * The channel's form of a language code: `en`, `en_US`. BCP 47 (`en-US`) and any letter case are accepted. Null when it
 * is no such code. `en` and `en_US` stay different: the platform keeps one template for each.
 */
export function parseLanguage(input: string): string | null {
  const [, language, region] = pattern.exec(input) ?? []
  if (!language) return null
  return region ? `${language.toLowerCase()}_${region.toUpperCase()}` : language.toLowerCase()
}

/** The form `Intl` and HTML understand. */
export function languageTag(language: string): string {
  return language.replace('_', '-')
}

const pattern = /^([a-z]{2,3})(?:[_-]([a-z]{2}))?$/i
