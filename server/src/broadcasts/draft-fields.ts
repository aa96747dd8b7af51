import { AppError, invalidField, validationFailed } from '../contract/app-error.ts'
import type { BroadcastDraft } from '../contract/broadcasts/draft.ts'
import { parseLanguage } from '../lib/text/language.ts'
import type { Runtime } from '../runtime.ts'
import type { TemplateRecord } from '../templates/content/template-types.ts'
import { requireSendableTemplate } from '../templates/find-template.ts'
import { matchParameters } from '../templates/values/match-parameters.ts'
import { readSendComponents } from '../templates/values/read-send-components.ts'
import { readQuietHours } from './quiet-hours.ts'
import { compilePattern, isTimeZone } from './recipients/check-row.ts'

/** In place of a column: one of them is of the form that the values around it need. */
const plainCells = [() => '1', () => 'a', () => 'https://example.com/a']

/** Violations of the schema are rejected first, whether or not the template is known. */
export function requireReadable(components: unknown, language: string | null): void {
  const pattern = compilePattern(components)
  const read = plainCells.map((cellOf) => readSendComponents(pattern.fill(cellOf) ?? undefined, language ?? 'en'))
  const [first] = read
  if (first && read.every(({ problems }) => problems.length > 0)) throw validationFailed(first.problems)
}

/** The template exists, can be sent, and takes these components with a plain value in place of each column. */
export async function requireFitting(
  rt: Runtime,
  number: Parameters<typeof requireSendableTemplate>[1],
  wanted: { name: string; language: string },
  components: unknown,
): Promise<TemplateRecord> {
  const template = await requireSendableTemplate(rt, number, wanted)
  const pattern = compilePattern(components)
  const tried = plainCells.map((cellOf) => matchParameters(template, pattern.fill(cellOf) ?? undefined))
  const [first] = tried
  if (!first || tried.some(({ ok }) => ok) || first.ok) return template
  throw new AppError(first.error, first.problems[0]?.message ?? 'The values do not match the template.', {
    details: first.problems,
  })
}

export function requireLanguage(input: string): string {
  const language = parseLanguage(input)
  if (language !== null) return language
  throw invalidField('language', 'invalid_language', 'Write the language as en, en_US or pt_BR.')
}

export function quietText(quiet: BroadcastDraft['quiet_hours']): string | null {
  if (!quiet) return null
  const { time_zone: zone } = quiet
  if (zone !== 'recipient' && !isTimeZone(zone)) {
    throw invalidField('quiet_hours.time_zone', 'invalid_value', 'Write `recipient`, or a time zone as Europe/Lisbon.')
  }
  return JSON.stringify(readQuietHours(quiet))
}

export function eventsOf(events: BroadcastDraft['message_events']): string | null {
  return events === undefined || events === null || events === 'all' ? null : events
}
