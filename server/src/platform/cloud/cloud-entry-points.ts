import type { ChatPlatform, NumberCredentials, ShortLink } from '../chat-platform.ts'
import { PlatformError } from '../platform-error.ts'
import type { FailureContext } from './classify-failure.ts'
import { type CloudCaller, nodePath } from './cloud-request.ts'
import { rejected } from './failure-table.ts'
import { type JsonObject, listOf, objectOf, textOf } from './lenient-json.ts'

type EntryCalls = Pick<ChatPlatform, 'listLinks' | 'saveLink' | 'deleteLink' | 'getAutomation' | 'setAutomation'>

const reading: FailureContext = { purpose: 'read' }
const writing: FailureContext = { purpose: 'write' }

/** Entry points for customers: short links with QR codes, ice breakers and commands. */
export function cloudEntryPoints(caller: CloudCaller): EntryCalls {
  return {
    async listLinks(number) {
      const path = linksPath(number)
      const query = { fields: 'code,prefilled_message,deep_link_url,qr_image_url.format(SVG)' }
      const answer = await caller.call(number, { method: 'GET', path, query, context: reading })
      return listOf(answer.data).flatMap((item) => linkIn(objectOf(item)) ?? [])
    },

    async saveLink(number, { code, message, image }) {
      // A code that Meta does not know is refused like any other wrong value.
      if (code !== null) {
        const path = `${linksPath(number)}${nodePath(code)}`
        await caller.call(number, { method: 'GET', path, context: { ...reading, notFound: 'link_not_found' } })
      }
      const json = {
        prefilled_message: message,
        generate_qr_image: image === 'png' ? 'PNG' : 'SVG',
        ...(code !== null && { code }),
      }
      const path = linksPath(number)
      const link = linkIn(await caller.call(number, { method: 'POST', path, json, context: writing }))
      if (!link) throw new PlatformError(rejected)
      return link
    },

    async deleteLink(number, code) {
      const path = `${linksPath(number)}${nodePath(code)}`
      await caller.command(number, { method: 'DELETE', path, context: { ...writing, notFound: 'link_not_found' } })
    },

    async getAutomation(number) {
      const path = nodePath(number.phoneNumberId)
      const query = { fields: 'conversational_automation' }
      const answer = await caller.call(number, { method: 'GET', path, query, context: reading })
      const automation = objectOf(answer.conversational_automation)
      return {
        prompts: listOf(automation?.prompts).flatMap((prompt) => textOf(prompt) ?? []),
        commands: listOf(automation?.commands).flatMap((item) => {
          const command = objectOf(item)
          const name = textOf(command?.command_name)
          return name === null ? [] : { name, description: textOf(command?.command_description) ?? '' }
        }),
      }
    },

    async setAutomation(number, { prompts, commands }) {
      const json = {
        ...(prompts && { prompts: [...prompts] }),
        ...(commands && {
          commands: commands.map(({ name, description }) => ({
            command_name: name,
            command_description: description,
          })),
        }),
      }
      const path = `${nodePath(number.phoneNumberId)}/conversational_automation`
      await caller.command(number, { method: 'POST', path, json, context: writing })
    },
  }
}

function linksPath(number: NumberCredentials): string {
  return `${nodePath(number.phoneNumberId)}/message_qrdls`
}

function linkIn(item: JsonObject | null): ShortLink | null {
  const code = textOf(item?.code)
  if (code === null) return null
  return {
    code,
    message: textOf(item?.prefilled_message) ?? '',
    url: textOf(item?.deep_link_url) ?? '',
    qrImageUrl: textOf(item?.qr_image_url),
  }
}
