import { AppError } from '../contract/app-error.ts'
import { bodyProblem } from '../contract/schema.ts'
import { withTimeout } from '../lib/async/with-timeout.ts'
import { nearest } from '../lib/text/edit-distance.ts'
import { parseLanguage } from '../lib/text/language.ts'
import type { Runtime } from '../runtime.ts'
import type { Unit } from '../store/engine/unit.ts'
import { findTemplateNames, findTemplatesByName, noteUse } from '../store/templates/templates.ts'
import type { TemplateRecord } from './content/template-types.ts'
import { fromRow, type StoredTemplate, toRecord } from './stored-template.ts'
import { syncUntil, type TemplateChannel } from './sync/sync-templates.ts'
import { sendRefusal } from './template-status.ts'

type WantedTemplate = { name: string; language: string }

/** A living template by name and language, on any channel; one that can be sent is preferred. */
export async function findTemplate(
  rt: Runtime,
  accountId: string,
  name: string,
  language: string,
): Promise<TemplateRecord | null> {
  const { exact } = await lookUp(rt, accountId, '', { name, language })
  return exact ? toRecord(exact) : null
}

/**
 * The template a number is about to send. What we know may be old, so before refusing the platform is asked once; when
 * it does not answer in time, or was asked for this template within 30 seconds, what we know decides. Without any time to
 * wait it is not asked.
 */
export async function requireSendableTemplate(
  rt: Runtime,
  channel: TemplateChannel,
  wanted: WantedTemplate,
  waitMaxMs: number = Number.POSITIVE_INFINITY,
): Promise<TemplateRecord> {
  const { accountId, channelId } = channel
  let known = await lookUp(rt, accountId, channelId, wanted)
  // A draft was never there, so nobody there knows more of it.
  if (waitMaxMs > 0 && !isSendable(known) && known.exact?.status !== 'draft') {
    const sync = syncUntil(rt, channel, `${wanted.name} ${wanted.language}`, async () => {
      known = await lookUp(rt, accountId, channelId, wanted)
      return isSendable(known)
    })
    await withTimeout(sync, waitMaxMs)
  }
  const { exact, siblings } = known
  if (!exact) throw await notFound(rt, channel, wanted, siblings)
  const code = sendRefusal(exact.status)
  if (code === null) return toRecord(exact)
  const reason = exact.status_reason ? ` ${exact.status_reason.message}` : ''
  throw new AppError(code, `The template ${exact.name} (${exact.language}) is ${exact.status}.${reason}`)
}

/** The platform does not know a template that we hold for approved: it was deleted there. Asks for the list, behind the send. */
export function checkTemplateSoon(rt: Runtime, channel: TemplateChannel, { name, language }: WantedTemplate): void {
  const found = async () => true
  void syncUntil(rt, channel, `${name} ${language}`, found).catch((error: unknown) =>
    rt.log.warn({ err: error, channel_id: channel.channelId }, 'templates.not_checked'),
  )
}

/** In the unit of a send. Once a minute is enough for people, and keeps sends from queueing for one row. */
export function noteTemplateUse(unit: Unit, template: Pick<TemplateRecord, 'id' | 'last_used_at'>, now: number): void {
  const last = template.last_used_at === null ? 0 : Date.parse(template.last_used_at)
  if (now - last > 60_000) unit.add(noteUse, { id: template.id, at: now })
}

/** As for the names of fields. */
const guessDistanceMax = 3

type Known = { exact: StoredTemplate | undefined; siblings: StoredTemplate[] }

const isSendable = ({ exact }: Known) => exact !== undefined && sendRefusal(exact.status) === null

async function lookUp(
  rt: Runtime,
  accountId: string,
  channelId: string,
  { name, language }: WantedTemplate,
): Promise<Known> {
  const rows = await rt.store.read(findTemplatesByName, { account_id: accountId, channel_id: channelId, name })
  const siblings = rows.map(fromRow)
  const wanted = parseLanguage(language) ?? language
  const matching = siblings.filter((template) => template.language === wanted)
  return { exact: matching.find(({ status }) => status === 'approved') ?? matching[0], siblings }
}

async function notFound(
  rt: Runtime,
  { accountId, channelId }: TemplateChannel,
  { name, language }: WantedTemplate,
  siblings: readonly StoredTemplate[],
): Promise<AppError> {
  const languages = [...new Set(siblings.map((template) => template.language))]
  if (languages.length === 0) {
    const received = name.slice(0, 64)
    const names = await rt.store.read(findTemplateNames, { account_id: accountId, channel_id: channelId })
    const meant = nearest(
      received.toLowerCase(),
      names.map((row) => row.name),
      Math.min(guessDistanceMax, Math.ceil(received.length / 3)),
    )
    const message = `${meant === undefined ? '' : `Did you mean '${meant}'? `}GET /v1/chat/templates lists the names.`
    const example = meant === undefined ? {} : { example: meant }
    const detail = { ...bodyProblem('template', 'invalid_value', message), received, ...example }
    return new AppError('template_not_found', `The template '${received}' does not exist. ${message}`, {
      details: [detail],
    })
  }
  const received = language.slice(0, 16)
  const message = `The template exists in: ${languages.join(', ')}.`
  const detail = { ...bodyProblem('language', 'invalid_value', message), received, example: languages[0] }
  const sentence = `The template '${name}' does not exist in the language ${received}. ${message}`
  return new AppError('template_not_found', sentence, { details: [detail] })
}
