import { setTimeout as pause } from 'node:timers/promises'
import type { ChatPlatform, NumberCredentials, SendOptions, SendReceipt } from '../chat-platform.ts'
import type { OutboundContent, OutboundMessage } from '../outbound-message.ts'
import { PlatformError } from '../platform-error.ts'
import { type FailureContext, unreadableAnswer } from './classify-failure.ts'
import type { CloudCaller, CloudRequest } from './cloud-request.ts'
import { cloudSendBody } from './cloud-send-body.ts'
import { type JsonObject, listOf, objectOf, textOf } from './lenient-json.ts'

export function cloudMessages(caller: CloudCaller): Pick<ChatPlatform, 'send' | 'markRead'> {
  return {
    async send(number, message, options) {
      const context = sendContext(message)
      const answer = await postAtMostTwice(caller, number, sendRequest(number, message, options, context))
      return receiptOf(answer, context)
    },

    async markRead(number, channelMessageId, options = {}) {
      await caller.command(number, {
        method: 'POST',
        path: messagesPath(number),
        json: {
          messaging_product: 'whatsapp',
          status: 'read',
          message_id: channelMessageId,
          ...(options.typing && { typing_indicator: { type: 'text' } }),
        },
        context: { purpose: 'write' },
      })
    },
  }
}

function sendRequest(
  number: NumberCredentials,
  message: OutboundMessage,
  options: SendOptions,
  context: FailureContext,
): CloudRequest {
  const json = cloudSendBody(message, options.correlation)
  const { timeoutMs } = options
  return { method: 'POST', path: messagesPath(number), json, context, ...(timeoutMs && { timeoutMs }) }
}

/**
 * Both posts share one deadline. The second happens only where no byte of the first was written, or where a proxy turned it away
 * with a bare 429: nothing else is certain to have sent nothing.
 */
async function postAtMostTwice(
  caller: CloudCaller,
  number: NumberCredentials,
  request: CloudRequest,
): Promise<JsonObject> {
  const { repeatPauseMs } = caller.limits
  const totalMs = Math.min(caller.limits.totalMs, request.timeoutMs ?? caller.limits.totalMs)
  const startedMs = performance.now()
  try {
    return await caller.call(number, { ...request, timeoutMs: totalMs })
  } catch (error) {
    const leftMs = totalMs - (performance.now() - startedMs) - repeatPauseMs
    const harmless = error instanceof PlatformError && error.outcome === 'not_sent'
    if (!harmless || leftMs <= 0) throw error
    await pause(repeatPauseMs)
    return await caller.call(number, { ...request, timeoutMs: leftMs })
  }
}

function receiptOf(answer: JsonObject, context: FailureContext): SendReceipt {
  const message = objectOf(listOf(answer.messages)[0])
  const contact = objectOf(listOf(answer.contacts)[0])
  const messageId = textOf(message?.id)
  const messageStatus = textOf(message?.message_status)
  if (messageStatus === 'paused') {
    throw new PlatformError({ kind: 'rejected', outcome: 'refused', code: 'template_paused' })
  }
  if (messageId === null) throw unreadableAnswer(context)
  return {
    messageId,
    held: messageStatus === 'held_for_quality_assessment',
    waId: textOf(contact?.wa_id),
    userId: textOf(contact?.user_id),
  }
}

function sendContext({ to, content }: OutboundMessage): FailureContext {
  const recipient = 'phone' in to ? to.phone.replace(/^\+/, '') : to.userId
  return { purpose: 'send', mediaByLink: namesLink(content), secrets: [recipient] }
}

function namesLink(content: OutboundContent): boolean {
  if ('media' in content) return 'link' in content.media
  if (content.type === 'interactive') {
    const { header, ...form } = content.interactive
    const headers = form.kind === 'carousel' ? form.cards.map((card) => card.header) : [header]
    return headers.some((one) => one !== null && 'media' in one && 'link' in one.media)
  }
  if (content.type !== 'template') return false
  return content.components.some(
    (values) => values.type === 'header' && values.parameters.some((one) => 'media' in one && 'link' in one.media),
  )
}

function messagesPath(number: NumberCredentials): string {
  return `/${encodeURIComponent(number.phoneNumberId)}/messages`
}
