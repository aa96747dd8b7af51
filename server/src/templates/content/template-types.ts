import { bodyProblem, type FieldCode, type FieldProblem } from '../../contract/schema.ts'
import type { TemplateCategory, TemplateContent } from '../../contract/template-content.ts'
import type { templateSources, templateStatuses } from '../../contract/templates.ts'

export * from '../../contract/template-content.ts'

export type TemplateStatus = (typeof templateStatuses)[number]
export type TemplateQuality = 'high' | 'medium' | 'low'
export type StatusReason = { code: string; message: string; recommendation: string | null; until: string | null }
/** `catalog` came with the account, `api` was created here, `platform` was found at the platform. */
export type TemplateSource = (typeof templateSources)[number]
export type ChannelKind = 'sandbox' | 'cloud'

/** New content of an approved template that waits for its review. */
export type PendingEdit = Pick<TemplateContent, 'parameter_format' | 'components' | 'variables'> & {
  message_send_ttl_seconds: number | null
  submitted_at: string
}

/** The record of the API; times as RFC 3339 text. */
export type TemplateRecord = TemplateContent & {
  id: string
  message_send_ttl_seconds: number | null
  /** The announced category; null if none is announced. */
  next_category: TemplateCategory | null
  /** The channel it belongs to; null while the account has none. */
  channel: ChannelKind | null
  /** Counts the contents it has had, from 1. */
  version: number
  pending_edit: PendingEdit | null
  status: TemplateStatus
  status_reason: StatusReason | null
  quality: TemplateQuality | null
  source: TemplateSource
  channel_template_id: string | null
  created_at: string
  updated_at: string
  submitted_at: string | null
  reviewed_at: string | null
  last_used_at: string | null
}

/** The accepted request; components are parsed leniently, because case and examples have several forms. */
export type TemplateInput = {
  name: string
  language?: string | null
  category?: string | null
  /** Positional without one. */
  parameter_format?: string | null
  body?: string | null
  components?: readonly unknown[] | null
  message_send_ttl_seconds?: number | null
}

/** Meta's maximum. */
export const cardsMax = 10
export const cardCharactersMax = 160
export const offerCodeCharactersMax = 15
export const couponCharactersMax = 20

/** A part of a template as a caller wrote it. */
export type Raw = Record<string, unknown>
/** Its position in the request, for error messages. */
export type Context = { place: string; category: TemplateCategory; problems: FieldProblem[] }

export function fail(problems: FieldProblem[], field: string, code: FieldCode, message: string): undefined {
  problems.push(bodyProblem(field, code, message))
}

export function readText(raw: Raw, key: string, { place, problems }: Context): string | undefined {
  const value = raw[key]
  const field = fieldOf(place, key)
  if (!isGiven(value)) return fail(problems, field, 'required', `Give \`${key}\`.`)
  return typeof value === 'string' ? value : fail(problems, field, 'invalid_type', 'Give a string.')
}

/**
 * Refuses every field that `what` does not have, instead of dropping it: it was written for a reason. One that only
 * others have may be null, which is the same as leaving it out.
 */
export function refuseOthers(
  raw: Raw,
  { own, known, what }: { own: readonly string[]; known: readonly string[]; what: string },
  { place, problems }: Context,
): void {
  for (const key of Object.keys(raw)) {
    if (own.includes(key) || (known.includes(key) && !isGiven(raw[key]))) continue
    const message = `${what} has no field \`${key}\`. It has: ${own.join(', ')}.`
    fail(problems, `${place}.${key}`, 'unknown_field', message)
  }
}

/** Place of a body that was given as the top-level string: itself the field, it has no inner `text`. */
export const bodyShorthand = 'body'

export function fieldOf(place: string, key: string): string {
  return place === bodyShorthand ? place : `${place}.${key}`
}

export const lower = (value: unknown) => (typeof value === 'string' ? value.toLowerCase() : undefined)
export const isGiven = (value: unknown) => value !== undefined && value !== null
export const listOf = (value: unknown): readonly unknown[] =>
  Array.isArray(value) ? value : isGiven(value) ? [value] : []
