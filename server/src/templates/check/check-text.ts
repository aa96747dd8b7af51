import { AppError } from '../../contract/app-error.ts'
import { bodyProblem, type FieldProblem } from '../../contract/schema.ts'
import { dayMs } from '../../lib/durations.ts'
import { formatInstant } from '../../lib/instant.ts'
import { namePattern, type Placeholder, placeholdersIn, withoutPlaceholders } from '../../lib/text/placeholders.ts'
import type { Runtime } from '../../runtime.ts'
import { readDeletions, readStatusChanges } from '../../store/templates/template-changes.ts'
import type { TemplateComponent, TemplateContent } from '../content/template-types.ts'
import type { StoredTemplate } from '../stored-template.ts'
import type { TemplateChannel } from '../sync/sync-templates.ts'
import type { FieldChange } from '../template-status.ts'

/** A component, and where it stood in the request. */
export type Placed = { component: TemplateComponent; place: string }

export function checkLength(text: string, field: string, what: string, charactersMax: number): FieldProblem[] {
  if (text.trim() === '') return [bodyProblem(field, 'too_short', `${what} needs text.`)]
  const characters = Array.from(text).length
  if (characters <= charactersMax) return []
  return [bodyProblem(field, 'too_long', `${what} has at most ${charactersMax} characters, this has ${characters}.`)]
}

/** Placeholders that are no numbers by now could not be read as names either. */
export function checkTokens(text: string, field: string): FieldProblem[] {
  const tokens = placeholdersIn(text).map(({ token }) => token)
  const numbers = tokens.filter((token) => /^\d+$/.test(token)).length
  const bad = [...new Set(tokens)].flatMap((token) => {
    if (token === '') return ['A placeholder is empty: write {{1}} or {{name}}.']
    if (/[#$%]/.test(token)) return ['A variable must not contain #, $ or %.']
    if (/^\d+$/.test(token) || (namePattern.test(token) && numbers === 0)) return []
    if (namePattern.test(token)) return ['Use either numbers or names for placeholders, not both.']
    return ['Name variables with lower-case letters, digits and underscores, starting with a letter: {{order_id}}.']
  })
  const stray = /\{\{|\}\}/.test(withoutPlaceholders(text))
  const messages = [...new Set(bad), ...(stray ? ['Braces do not match: write each placeholder as {{1}}.'] : [])]
  return messages.map((message) => bodyProblem(field, 'invalid_format', message))
}

export function checkSequence(placeholders: readonly Placeholder[], field: string): FieldProblem[] {
  const numbers = placeholders.map(({ token }) => Number(token))
  const repeated = numbers.find((number, index) => numbers.indexOf(number) < index)
  if (repeated !== undefined) {
    return [
      bodyProblem(field, 'invalid_format', `Use each variable once; the one at position ${repeated} appears again.`),
    ]
  }
  const wrong = numbers.findIndex((number, index) => number !== index + 1)
  if (wrong === -1) return []
  const message = numbers.includes(wrong + 1)
    ? `Placeholders must come in order: expected {{${wrong + 1}}} before {{${numbers[wrong]}}}.`
    : `Placeholders must be numbered without gaps: {{${wrong + 1}}} is missing.`
  return [bodyProblem(field, 'invalid_format', message)]
}

export function checkPositions(text: string, placeholders: readonly Placeholder[], field: string): FieldProblem[] {
  const first = placeholders[0]
  const last = placeholders.at(-1)
  const adjacent = placeholders.some(({ start }, index) => {
    const before = placeholders[index - 1]
    return before && text.slice(before.end, start).trim() === ''
  })
  return [
    ...(first && text.slice(0, first.start).trim() === ''
      ? [bodyProblem(field, 'invalid_format', 'The text must not start with a variable: put a word before it.')]
      : []),
    ...(last && text.slice(last.end).trim() === ''
      ? [bodyProblem(field, 'invalid_format', 'The text must not end with a variable: a full stop after it is enough.')]
      : []),
    ...(adjacent
      ? [
          bodyProblem(
            field,
            'invalid_format',
            'Two variables must not be next to each other: put a word or a character between them.',
          ),
        ]
      : []),
  ]
}

/** The platform's exact measure is not published; what it surely refuses has fewer words than variables. */
export function checkDensity(text: string, variables: number, field: string): FieldProblem[] {
  const words = withoutPlaceholders(text).match(wordPattern)?.length ?? 0
  if (words >= variables) return []
  const message = `The text is too short for ${variables} variables: it has ${words} words of its own.`
  return [bodyProblem(field, 'too_many_items', message)]
}

// Scripts written without spaces count by the sign.
const wordPattern =
  /[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}]|[\p{L}\p{N}\p{M}'’-]+/gu

const monthMs = 30 * dayMs
const editsPerMonth = 10

/**
 * The platform takes one edit of an approved template in 24 hours and ten in 30 days; rejected and paused ones may be
 * edited at will. Edits made elsewhere are unknown here, and left to the platform to count.
 */
export async function requireEditLeft(rt: Runtime, { account_id, id, status }: StoredTemplate): Promise<void> {
  if (status !== 'approved') return
  const now = rt.clock.now()
  const params = { account_id, template_id: id, since: now - monthMs }
  const changes = await rt.store.read(readStatusChanges, params)
  const edits = changes.filter(({ cause, diff }) => cause === 'api' && isEditOfApproved(diff)).map(({ at }) => at)
  const [last = 0] = edits
  if (last > now - dayMs) throw tooManyEdits('once in 24 hours', last + dayMs)
  const tenth = edits[editsPerMonth - 1]
  if (tenth !== undefined) throw tooManyEdits('ten times in 30 days', tenth + monthMs)
}

/** The platform blocks the name of an approved template for 30 days once it is deleted. */
export async function requireFreeName(
  rt: Runtime,
  { accountId, channelId }: Pick<TemplateChannel, 'accountId' | 'channelId'>,
  { name, language }: Pick<TemplateContent, 'name' | 'language'>,
): Promise<void> {
  const since = rt.clock.now() - monthMs
  const params = { account_id: accountId, channel_id: channelId, name, language, since }
  const deleted = (await rt.store.read(readDeletions, params)).find(({ diff }) => cameFromApproved(diff))
  if (!deleted) return
  const message =
    `The approved template ${name} (${language}) was deleted; Meta blocks its name until ` +
    `${formatInstant(deleted.at + monthMs)}. Use another name.`
  throw new AppError('template_invalid', message, { details: [bodyProblem('name', 'invalid_value', message)] })
}

function tooManyEdits(often: string, nextAt: number): AppError {
  const message = `An approved template can be edited ${often}. The next edit is possible at ${formatInstant(nextAt)}.`
  return new AppError('template_locked', message)
}

/** It waits beside the approved content; before there was room for that, it took the template out of use. */
function isEditOfApproved(diff: string): boolean {
  const isNew = ({ field, from }: FieldChange) => field === 'pending_edit' && from === null
  return cameFromApproved(diff) || (JSON.parse(diff) as FieldChange[]).some(isNew)
}

function cameFromApproved(diff: string): boolean {
  return (JSON.parse(diff) as FieldChange[]).some(({ field, from }) => field === 'status' && from === 'approved')
}
