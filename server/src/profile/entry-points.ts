import type { Static } from 'typebox'
import type { Caller } from '../access/caller.ts'
import { type Author, writeAudited } from '../audit/audit.ts'
import { askPlatform } from '../channels/ask-platform.ts'
import { type ChannelNumber, requireNumber } from '../channels/require-number.ts'
import { invalidField } from '../contract/app-error.ts'
import type { AutomationChange, LinkRequest } from '../contract/messages/entry-points.ts'
import type { FieldLocation } from '../contract/schema.ts'
import type { ShortLink } from '../platform/chat-platform.ts'
import type { Runtime } from '../runtime.ts'

/** How customers begin a conversation with a number. Kept by Meta, and asked for there each time. */
type Owner = Pick<Caller, 'accountId' | 'phoneNumberIds'>

export async function listLinks(rt: Runtime, owner: Owner, from: string | undefined) {
  const number = await ownNumber(rt, owner, from, 'query')
  const links = await askPlatform(rt, number, 'the short links', () => rt.platform.listLinks(number.credentials))
  return { phone_number: number.phoneNumber, links: links.map(describe) }
}

/** Without a code a new one. A lost answer may have made one all the same: the list shows it. */
export async function saveLink(
  rt: Runtime,
  owner: Owner,
  { code = null, from, message, qr_image }: Static<typeof LinkRequest> & { code?: string | null },
  author: Author,
) {
  const number = await ownNumber(rt, owner, from, 'body')
  const link = await askPlatform(rt, number, 'the short link', () =>
    rt.platform.saveLink(number.credentials, { code, message, image: qr_image ?? 'svg' }),
  )
  await note(rt, number, 'number.links_changed', author, { code: link.code })
  return describe(link)
}

export async function deleteLink(rt: Runtime, owner: Owner, code: string, from: string | undefined, author: Author) {
  const number = await ownNumber(rt, owner, from, 'query')
  await askPlatform(rt, number, 'the short link', () => rt.platform.deleteLink(number.credentials, code))
  await note(rt, number, 'number.links_changed', author, { code })
  return { link_id: code, deleted: true as const }
}

export async function getAutomation(rt: Runtime, owner: Owner, from: string | undefined) {
  return readAutomation(rt, await ownNumber(rt, owner, from, 'query'))
}

export async function setAutomation(
  rt: Runtime,
  owner: Owner,
  { from, prompts, commands }: Static<typeof AutomationChange>,
  author: Author,
) {
  if (!prompts && !commands) throw invalidField('prompts', 'one_of_required', 'Give `prompts` or `commands`.')
  const names = commands?.map(({ name }) => name) ?? []
  const twice = names.findIndex((name, index) => names.indexOf(name) < index)
  if (twice >= 0) throw invalidField(`commands[${twice}].name`, 'invalid_value', 'Each command has its own name.')
  const number = await ownNumber(rt, owner, from, 'body')
  const change = { ...(prompts && { prompts }), ...(commands && { commands }) }
  await askPlatform(rt, number, 'the ice breakers and commands', () =>
    rt.platform.setAutomation(number.credentials, change),
  )
  await note(rt, number, 'number.automation_set', author, { fields: Object.keys(change) })
  return readAutomation(rt, number)
}

async function readAutomation(rt: Runtime, number: ChannelNumber) {
  const found = await askPlatform(rt, number, 'the ice breakers and commands', () =>
    rt.platform.getAutomation(number.credentials),
  )
  return { phone_number: number.phoneNumber, ...found }
}

function ownNumber(rt: Runtime, owner: Owner, from: string | null | undefined, location: FieldLocation) {
  return requireNumber(rt, owner.accountId, { from: from ?? null, allowedIds: owner.phoneNumberIds, location })
}

function describe({ code, message, url, qrImageUrl }: ShortLink) {
  return { link_id: code, message, url, qr_image_url: qrImageUrl }
}

async function note(
  rt: Runtime,
  { id, accountId, phoneNumber }: ChannelNumber,
  action: string,
  { actor, context }: Author,
  metadata: Record<string, unknown>,
): Promise<void> {
  const targets = [{ type: 'number', id, name: phoneNumber }]
  await writeAudited(rt, { accountId, action, actor, context, targets, metadata }, () => {})
}
