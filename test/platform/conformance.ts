import { createHash, randomBytes } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import type { TemplateContent } from '../../server/src/contract/template-content.ts'
import type { CallbackItem, StatusItem } from '../../server/src/platform/callback-item.ts'
import type { ChatPlatform, NumberCredentials } from '../../server/src/platform/chat-platform.ts'
import type { OutboundContent, TemplateDraft } from '../../server/src/platform/outbound-message.ts'
import { PlatformError } from '../../server/src/platform/platform-error.ts'
import { type CallbackReceiver, startCallbackReceiver } from './callback-receiver.ts'
import { contractRows } from './contract-rows.ts'

/** A platform a test may command: the client under test, credentials, and a hand on the other side. */
export type PlatformUnderTest = {
  platform: ChatPlatform
  number: NumberCredentials
  appSecret: string
  /** A number that may be written to at once. */
  openCustomer: string
  /** How the other side answers from now on. */
  behave(scenario: object): Promise<void>
  /** A customer writes; resolves to the message id. */
  inbound(message: object): Promise<string>
  review(templateName: string, decision: object): Promise<void>
  /** Any other callback of the business account. */
  event(field: string, value: object): Promise<void>
  /** What the other side took for this correlation: the wire bodies. */
  accepted(correlation: string): Promise<Record<string, unknown>[]>
  close(): Promise<void>
}

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
)

/** Long enough for the request to be written on a busy machine: until then nothing was sent. */
const silenceMs = 750

/** What every pair of client and platform must do together. */
const webhookFields = [
  'messages',
  'message_template_status_update',
  'message_template_quality_update',
  'template_category_update',
  'account_update',
  'phone_number_quality_update',
  'business_capability_update',
  'user_preferences',
]

export function describePlatform(name: string, start: () => Promise<PlatformUnderTest>): void {
  describe(name, () => {
    let it: PlatformUnderTest
    let receiver: CallbackReceiver
    let count = 0

    beforeAll(async () => {
      it = await start()
      receiver = await startCallbackReceiver(it.appSecret)
      const { url, verifyToken } = receiver
      expect(await it.platform.appSubscription(it.number, app())).toBeNull()
      const early = await failureOf(it.platform.setCallbackOverride(it.number, { url, verifyToken }))
      expect(early.upstream).toMatchObject({ code: 100, title: expect.stringContaining('must be subscribed') })
      await it.platform.setAppSubscription(it.number, app(), { url, verifyToken, fields: webhookFields })
      await it.platform.subscribeApp(it.number)
      await it.platform.setCallbackOverride(it.number, { url, verifyToken })
    })
    const app = () => ({ appId: it.number.appId ?? '', appSecret: it.appSecret })

    afterEach(() => it.behave({}))

    afterAll(async () => {
      await it?.close()
      await receiver?.close()
    })

    async function send(content: OutboundContent, phone = it.openCustomer, replyTo?: string, timeoutMs?: number) {
      const correlation = `conformance-${++count}`
      const message = { to: { phone }, content, ...(replyTo !== undefined && { replyTo }) }
      const context = { correlation, ...(timeoutMs !== undefined && { timeoutMs }) }
      const receipt = await it.platform.send(it.number, message, context)
      return { ...receipt, correlation }
    }

    async function item<Kind extends CallbackItem['kind']>(
      kind: Kind,
      matches: (item: Extract<CallbackItem, { kind: Kind }>) => boolean,
    ): Promise<Extract<CallbackItem, { kind: Kind }>> {
      return await vi.waitFor(
        () => {
          const found = receiver.items.find(
            (one): one is Extract<CallbackItem, { kind: Kind }> =>
              one.kind === kind && matches(one as Extract<CallbackItem, { kind: Kind }>),
          )
          if (!found) throw new Error(`No ${kind} has come.`)
          return found
        },
        { timeout: 10_000, interval: 10 },
      )
    }

    function status(messageId: string, word: StatusItem['status']): Promise<StatusItem> {
      return item('status', (one) => one.channelMessageId === messageId && one.status === word)
    }

    async function download(platformMediaId: string, bytesMax: number): Promise<Buffer> {
      const chunks: Uint8Array[] = []
      const write = async (chunk: Uint8Array) => void chunks.push(chunk)
      await it.platform.downloadMedia(it.number, { platformMediaId, bytesMax, write })
      return Buffer.concat(chunks)
    }

    async function uploadPng(): Promise<string> {
      const upload = { content: png, bytes: png.length, mimeType: 'image/png', filename: 'dot "1".png' }
      return (await it.platform.uploadMedia(it.number, upload)).platformMediaId
    }

    describe('sending', () => {
      const place = { latitude: 38.7223, longitude: -9.1393, name: 'Pier', address: 'Quay 1' }
      const sections = [{ title: 'One', rows: [{ id: 'r1', title: 'Row', description: 'first' }] }]
      const plain = { header: null, body: 'Pick', footer: null }
      const pick = { ...plain, kind: 'buttons', buttons: [{ id: 'a', title: 'A' }] } as const
      const paper = { type: 'document', media: { link: 'https://files.test/a.pdf' }, filename: 'a.pdf' } as const

      test.each<OutboundContent>([
        { type: 'text', text: 'hello', previewUrl: true },
        { type: 'template', name: 'hello_world', language: 'en_US', components: [] },
        { type: 'image', media: { link: 'https://files.test/a.png' }, caption: 'look' },
        { type: 'video', media: { link: 'https://files.test/a.mp4' } },
        { type: 'audio', media: { link: 'https://files.test/a.ogg' }, voice: true },
        { type: 'sticker', media: { link: 'https://files.test/a.webp' } },
        { type: 'document', media: { link: 'https://files.test/a.pdf' }, filename: 'a.pdf', caption: 'paper' },
        { type: 'interactive', interactive: { ...pick, footer: 'Shop' } },
        { type: 'interactive', interactive: { ...pick, header: { type: 'text', text: 'Hi' } } },
        { type: 'interactive', interactive: { ...pick, header: paper } },
        { type: 'interactive', interactive: { ...plain, kind: 'list', button: 'Open', sections } },
        { type: 'location', ...place },
        {
          type: 'contacts',
          contacts: [{ name: { formatted_name: 'Bo B' }, phones: [{ phone: '+15550002222', type: 'WORK' }] }],
        },
      ])('$type is accepted and reported as sent with its correlation', async (content) => {
        const { messageId, correlation, held, waId } = await send(content)
        expect({ held, waId }).toEqual({ held: false, waId: it.openCustomer.slice(1) })
        const report = await status(messageId, 'sent')
        expect(report).toMatchObject({
          correlation,
          recipient: { phone: it.openCustomer },
          wabaId: it.number.wabaId,
          phoneNumberId: it.number.phoneNumberId,
        })
        expect(report.at).toBeGreaterThan(1_600_000_000_000)
      })

      test('one message travels sent, delivered, read, with its price', async () => {
        const { messageId } = await send({ type: 'text', text: 'journey' })
        await status(messageId, 'delivered')
        await status(messageId, 'read')
        expect((await status(messageId, 'sent')).pricing?.category).toEqual(expect.any(String))
      })

      test('the wire carries the number with its plus, the correlation and the quoted message', async () => {
        const quoted = await it.inbound({ from: it.openCustomer, text: 'question' })
        const { correlation } = await send({ type: 'text', text: 'answer' }, it.openCustomer.slice(1), quoted)
        expect(await it.accepted(correlation)).toMatchObject([
          { to: it.openCustomer, context: { message_id: quoted }, biz_opaque_callback_data: correlation },
        ])
      })

      test('a reaction and its removal are accepted', async () => {
        const channelMessageId = await it.inbound({ from: it.openCustomer, text: 'nice?' })
        for (const emoji of ['👍', '']) {
          const { messageId } = await send({ type: 'reaction', channelMessageId, emoji })
          await status(messageId, 'sent')
        }
      })

      test('a customer without a number is reached by user id', async () => {
        const inboundId = await it.inbound({ user_id: 'US.13491208655302741918', name: 'Bo', text: 'hi' })
        const { from } = await item('message', (one) => one.channelMessageId === inboundId)
        expect(from).toMatchObject({ phone: null, userId: 'US.13491208655302741918' })
        const to = { userId: from.userId ?? '' }
        const content = { type: 'text', text: 'hello' } as const
        const receipt = await it.platform.send(it.number, { to, content }, { correlation: 'by-user-id' })
        expect(receipt).toMatchObject({ userId: to.userId, waId: null })
        expect((await status(receipt.messageId, 'sent')).recipient).toMatchObject({ phone: null, userId: to.userId })
      })

      test('an uploaded file is sent by its id', async () => {
        const platformMediaId = await uploadPng()
        const { messageId } = await send({ type: 'image', media: { platformMediaId } })
        await status(messageId, 'delivered')
      })

      test('a closed window is accepted and fails later', async () => {
        const { messageId } = await send({ type: 'text', text: 'too late' }, '+15550009876')
        expect((await status(messageId, 'failed')).failures).toMatchObject([{ code: 'customer_window_closed' }])
      })

      test('an inbound message is marked as read, with and without the typing indicator', async () => {
        const id = await it.inbound({ from: it.openCustomer, text: 'are you there?' })
        await expect(it.platform.markRead(it.number, id)).resolves.toBeUndefined()
        await expect(it.platform.markRead(it.number, id, { typing: true })).resolves.toBeUndefined()
        await expect(it.platform.markRead(it.number, 'wamid.none')).rejects.toMatchObject({ code: 'channel_rejected' })
      })
    })

    describe('refusals', () => {
      const rule = (effects: object, count?: number) => ({
        rules: [{ when: { endpoint: 'messages' }, do: effects, count }],
      })

      test.each(contractRows)('code %i with HTTP %i becomes %s', async (code, http_status, ours, kind, outcome) => {
        await it.behave(rule({ error: { code, http_status, details: 'because' } }))
        const error = await failureOf(send({ type: 'text', text: 'hi' }))
        expect(error).toMatchObject({ code: ours, kind, outcome, upstream: { code, detail: 'because' } })
        expect(error.upstream.trace_id).toEqual(expect.any(String))
      })

      test('an expired token is told as such', async () => {
        await it.behave(rule({ expired_token: true }))
        expect(await failureOf(send({ type: 'text', text: 'hi' }))).toMatchObject({ code: 'channel_auth_failed' })
      })

      test('a token of nobody is refused everywhere, and never quoted', async () => {
        const stranger = { ...it.number, accessToken: 'EAAstranger0123456789' }
        const message = { to: { phone: it.openCustomer }, content: { type: 'text', text: 'hi' } } as const
        const failures = await Promise.all([
          failureOf(it.platform.send(stranger, message, { correlation: 'stranger' })),
          failureOf(it.platform.getNumber(stranger)),
          failureOf(it.platform.createTemplate(stranger, draft('stranger'))),
        ])
        for (const error of failures) {
          expect(error.code).toBe('channel_auth_failed')
          expect(JSON.stringify(error.upstream) + error.message).not.toContain('EAAstranger')
        }
      })

      test('a template that does not exist, or gets the wrong number of values', async () => {
        const missing: OutboundContent = { type: 'template', name: 'nowhere', language: 'en_US', components: [] }
        expect(await failureOf(send(missing))).toMatchObject({ code: 'template_not_found' })
        const parameters = [{ type: 'text', text: 'too much' }] as const
        const components = [{ type: 'body' as const, parameters: [...parameters] }]
        const wrong: OutboundContent = { ...missing, name: 'hello_world', components }
        expect(await failureOf(send(wrong))).toMatchObject({ code: 'template_parameter_mismatch' })
      })

      test.each([
        [2, 503],
        [131016, 500],
        [133004, 503],
        [131000, 500],
      ])('code %i may come after acceptance: it is unknown, and not repeated', async (code, http_status) => {
        await it.behave(rule({ error: { code, http_status } }, 1))
        const correlation = `fault-${code}`
        const message = { to: { phone: it.openCustomer }, content: { type: 'text', text: 'hi' } } as const
        const error = await failureOf(it.platform.send(it.number, message, { correlation }))
        expect(error).toMatchObject({ code: 'send_outcome_unknown', outcome: 'unknown' })
        expect(await it.accepted(correlation)).toEqual([])
      })

      test('maintenance of the number is a refusal with a wait of 20 s, and not repeated', async () => {
        await it.behave(rule({ error: { code: 131057, http_status: 500 } }, 1))
        const error = await failureOf(send({ type: 'text', text: 'hi' }))
        expect(error).toMatchObject({ code: 'channel_rate_limited', outcome: 'refused', retryAfterMs: 20_000 })
      })

      test('an answer lost after acceptance is unknown, is not repeated, and the status tells the truth', async () => {
        await it.behave(rule({ reset_after_accept: true }))
        const correlation = 'lost-answer'
        const message = { to: { phone: it.openCustomer }, content: { type: 'text', text: 'hi' } } as const
        const error = await failureOf(it.platform.send(it.number, message, { correlation }))
        expect(error).toMatchObject({ code: 'send_outcome_unknown', outcome: 'unknown' })
        expect(await it.accepted(correlation)).toHaveLength(1)
        await item('status', (one) => one.correlation === correlation && one.status === 'sent')
      })

      test.each([
        ['an answer that never comes', { hang: true }],
        ['an answer that never comes after acceptance', { hang_after_accept: true }],
        ['a reset before acceptance', { reset_before_accept: true }],
        ['a page of HTML', { html_5xx: 502 }],
        ['a body that trickles', { slow_body_ms: 60_000 }],
      ])('%s is unknown', async (_name, then) => {
        await it.behave(rule(then))
        const sent = send({ type: 'text', text: 'hi' }, it.openCustomer, undefined, silenceMs)
        expect(await failureOf(sent)).toMatchObject({ outcome: 'unknown' })
      })

      test('a message held back for quality says so', async () => {
        await it.behave(rule({ hold: 'release', hold_ms: 10 }))
        const content: OutboundContent = { type: 'template', name: 'hello_world', language: 'en_US', components: [] }
        expect(await send(content)).toMatchObject({ held: true })
      })

      test('management calls over their limit name the wait', async () => {
        await it.behave({ throttle: { management_per_hour: 1 } })
        const calls = [1, 2].map(() => failureOf(drain(it.platform.listTemplates(it.number))).catch(() => null))
        const throttled = (await Promise.all(calls)).find((error) => error !== null)
        expect(throttled).toMatchObject({ kind: 'throttled', code: 'channel_rate_limited' })
        expect(throttled?.retryAfterMs).toBeGreaterThanOrEqual(60_000)
      })
    })

    describe('media', () => {
      test('goes up as bytes and as a stream, and comes down unchanged', async () => {
        const content = Buffer.concat([png, randomBytes(300_000)])
        async function* slices() {
          for (let at = 0; at < content.length; at += 65_536) yield content.subarray(at, at + 65_536)
        }
        for (const source of [content, slices()]) {
          const upload = { content: source, bytes: content.length, mimeType: 'image/png', filename: 'é.png' }
          const { platformMediaId } = await it.platform.uploadMedia(it.number, upload)
          const location = await it.platform.mediaUrl(it.number, platformMediaId)
          expect(location).toMatchObject({ mimeType: 'image/png', bytes: content.length, sha256: hex(content) })
          expect((await download(platformMediaId, content.length)).equals(content)).toBe(true)
          await it.platform.deleteMedia(it.number, platformMediaId)
          expect(await failureOf(it.platform.mediaUrl(it.number, platformMediaId))).toMatchObject({
            code: 'media_not_found',
          })
        }
      })

      test('of a customer is fetched by its id', async () => {
        const data = randomBytes(5_000)
        const media = { data_base64: data.toString('base64'), mime_type: 'image/jpeg', caption: 'here' }
        const id = await it.inbound({ from: it.openCustomer, type: 'image', media })
        const { content } = await item('message', (one) => one.channelMessageId === id)
        if (content.type !== 'image') throw new Error(`An image was expected, not ${content.type}.`)
        const { platformMediaId, sha256, caption } = content.media
        expect({ sha256, caption }).toEqual({ sha256: hex(data), caption: 'here' })
        expect((await download(platformMediaId, 10_000)).equals(data)).toBe(true)
      })

      test('that is too large does not come through', async () => {
        const platformMediaId = await uploadPng()
        expect(await failureOf(download(platformMediaId, 10))).toMatchObject({ code: 'media_too_large' })
      })

      test("a caller's own stream that fails is told as that failure", async () => {
        async function* broken() {
          yield png
          throw new Error('the disk is gone')
        }
        const upload = { content: broken(), bytes: 1_000, mimeType: 'image/png', filename: 'a.png' }
        await expect(it.platform.uploadMedia(it.number, upload)).rejects.toThrow('the disk is gone')
      })
    })

    describe('templates', () => {
      test('live from draft to deletion', async () => {
        await it.behave({ review_delay_ms: 3_600_000 })
        const created = await it.platform.createTemplate(it.number, draft('life_cycle'))
        expect(created).toMatchObject({ status: 'PENDING', category: 'utility' })
        expect(await it.platform.getTemplate(it.number, created.templateId)).toMatchObject({
          ...created,
          content: draft('life_cycle').content,
        })
        expect(await failureOf(it.platform.createTemplate(it.number, draft('life_cycle')))).toMatchObject({
          code: 'template_already_exists',
        })
        await it.review('life_cycle', { decision: 'reject', reason: 'INVALID_FORMAT', recommendation: 'Say more' })
        expect(await templateEvent('life_cycle', 'REJECTED')).toMatchObject({
          templateId: created.templateId,
          reason: 'INVALID_FORMAT',
          recommendation: 'Say more',
          language: 'en_US',
          wabaId: it.number.wabaId,
          phoneNumberId: null,
        })
        await it.platform.editTemplate(it.number, created.templateId, draft('life_cycle', 'Now in more words'))
        expect((await it.platform.getTemplate(it.number, created.templateId)).status).toBe('PENDING')
        await it.review('life_cycle', { decision: 'approve' })
        await templateEvent('life_cycle', 'APPROVED')
        await it.platform.deleteTemplate(it.number, { name: 'life_cycle', templateId: created.templateId })
        expect(await failureOf(it.platform.getTemplate(it.number, created.templateId))).toMatchObject({
          code: 'template_not_found',
        })
      })

      test('with values of every kind are sent once they are approved', async () => {
        const { handle } = await it.platform.uploadSample(it.number, {
          content: png,
          mimeType: 'image/png',
          filename: 'sample.png',
        })
        const { content } = draft('full_house')
        const components = [
          { type: 'header' as const, format: 'image' as const, example: { handle } },
          ...content.components.filter(({ type }) => type !== 'header'),
        ]
        await it.platform.createTemplate(it.number, { content: { ...content, components } })
        await it.review('full_house', { decision: 'approve' })
        const platformMediaId = await uploadPng()
        const { messageId } = await send({
          type: 'template',
          name: 'full_house',
          language: 'en_US',
          components: [
            { type: 'header', parameters: [{ type: 'image', media: { platformMediaId } }] },
            {
              type: 'body',
              parameters: [
                { type: 'text', text: 'Ana' },
                { type: 'currency', currency: { fallback_value: '€42.00', code: 'EUR', amount_1000: 42_000 } },
              ],
            },
            { type: 'button', sub_type: 'quick_reply', index: 0, parameters: [{ type: 'payload', payload: 'P1' }] },
            { type: 'button', sub_type: 'url', index: 1, parameters: [{ type: 'text', text: 'A-1001' }] },
          ],
        })
        await status(messageId, 'delivered')
      })

      test('with named placeholders are created, read back and sent by name', async () => {
        const named: TemplateContent = {
          name: 'named_values',
          language: 'en_US',
          category: 'utility',
          parameter_format: 'named',
          components: [{ type: 'body', text: 'Hi {{1}}, all is ready.' }],
          variables: [{ component: 'body', position: 1, name: 'first_name', example: 'Ana' }],
        }
        await it.platform.createTemplate(it.number, { content: named })
        await it.review('named_values', { decision: 'approve' })
        const [template] = await drain(it.platform.listTemplates(it.number, { name: 'named_values' }))
        expect(template).toMatchObject({ content: named, status: 'APPROVED' })
        const { messageId } = await send({
          type: 'template',
          name: 'named_values',
          language: 'en_US',
          components: [{ type: 'body', parameters: [{ type: 'text', parameter_name: 'first_name', text: 'Bo' }] }],
        })
        await status(messageId, 'sent')
      })

      test('are listed over page borders, each once', async () => {
        const names = Array.from({ length: 5 }, (_, at) => `page_${at}`)
        for (const name of names) await it.platform.createTemplate(it.number, draft(name, `Words of ${name}`))
        const listed = await drain(it.platform.listTemplates(it.number, { pageSize: 2 }))
        const found = listed.map(({ content }) => content.name).filter((name) => name.startsWith('page_'))
        expect(found.sort()).toEqual(names)
        expect(new Set(listed.map(({ templateId }) => templateId)).size).toBe(listed.length)
      })

      test('tell of their quality, category and pauses', async () => {
        await it.platform.createTemplate(it.number, draft('moody', 'Words of a moody template'))
        await it.review('moody', { decision: 'approve' })
        await it.review('moody', { decision: 'quality', quality_score: 'YELLOW' })
        await it.review('moody', { decision: 'category', category: 'MARKETING' })
        await it.review('moody', { decision: 'pause' })
        expect(await item('template_quality', ({ name: one }) => one === 'moody')).toMatchObject({ quality: 'YELLOW' })
        expect(await item('template_category', ({ name: one }) => one === 'moody')).toMatchObject({
          phase: 'changed',
          category: 'marketing',
        })
        await templateEvent('moody', 'PAUSED')
        const paused: OutboundContent = { type: 'template', name: 'moody', language: 'en_US', components: [] }
        expect(await failureOf(send(paused))).toMatchObject({ code: 'template_paused' })
      })

      test('that break a rule are refused as invalid', async () => {
        const leading: TemplateContent = {
          ...draft('leading').content,
          components: [{ type: 'body', text: '{{1}} comes first here' }],
          variables: [{ component: 'body', position: 1, name: null, example: 'x' }],
        }
        expect(await failureOf(it.platform.createTemplate(it.number, { content: leading }))).toMatchObject({
          code: 'template_invalid',
        })
      })

      function templateEvent(templateName: string, event: string) {
        return item('template_status', (one) => one.name === templateName && one.event === event)
      }
    })

    describe('the number', () => {
      test('tells its state, its quality and whether it can send', async () => {
        expect(await it.platform.getNumber(it.number)).toMatchObject({
          phoneNumberId: it.number.phoneNumberId,
          status: 'CONNECTED',
          qualityRating: 'GREEN',
          throughputLevel: 'STANDARD',
          displayPhoneNumber: expect.any(String),
          verifiedName: expect.any(String),
          health: { canSendMessage: 'AVAILABLE' },
        })
        expect(await it.platform.wabaHealth(it.number)).toMatchObject({
          wabaId: it.number.wabaId,
          health: { canSendMessage: 'AVAILABLE', entities: expect.any(Array) },
        })
      })

      test('has a token whose rights can be read', async () => {
        const facts = await it.platform.debugToken(it.number, { asApp: app() })
        expect(await failureOf(it.platform.debugToken(it.number))).toMatchObject({ upstream: { code: 100 } })
        expect(facts).toMatchObject({ valid: true, expiresAt: null, appId: it.number.appId })
        expect(facts.scopes).toContain('whatsapp_business_messaging')
      })

      test('registers with its PIN, and is refused with another one', async () => {
        await expect(it.platform.register(it.number, '123456')).resolves.toBeUndefined()
        expect(await failureOf(it.platform.register(it.number, '654321'))).toMatchObject({
          code: 'channel_pin_rejected',
        })
      })

      test('an unknown number is refused', async () => {
        const nowhere = { ...it.number, phoneNumberId: '1' }
        expect(await failureOf(it.platform.getNumber(nowhere))).toMatchObject({ code: 'channel_rejected' })
      })
    })

    describe('callbacks', () => {
      test('go to the address that was set, and the subscription shows it', async () => {
        const own = await it.platform.appSubscription(it.number, app())
        expect(own).toEqual({ url: receiver.url, fields: webhookFields })
        const apps = await it.platform.listSubscribedApps(it.number)
        expect(apps).toMatchObject([{ appId: it.number.appId, overrideCallbackUrl: receiver.url }])
        await it.platform.subscribeApp(it.number)
        const { url, verifyToken } = receiver
        await it.platform.setCallbackOverride(it.number, { url, verifyToken })
      })

      test('an address that does not know the verify token is refused', async () => {
        const override = { url: receiver.url, verifyToken: 'wrong' }
        expect(await failureOf(it.platform.setCallbackOverride(it.number, override))).toMatchObject({
          kind: 'rejected',
        })
      })

      const inbounds: [object, object][] = [
        [{ text: 'héllo 👋' }, { type: 'text', text: 'héllo 👋' }],
        [{ type: 'document' }, { type: 'document', media: { filename: 'sample.pdf' } }],
        [{ type: 'audio' }, { type: 'audio', media: { voice: true } }],
        [{ type: 'video' }, { type: 'video' }],
        [{ type: 'sticker' }, { type: 'image', media: { sticker: true } }],
        [
          { type: 'interactive', button_reply: { id: 'a', title: 'A' } },
          { type: 'button_reply', reply: { id: 'a', title: 'A' } },
        ],
        [
          { type: 'interactive', list_reply: { id: 'r1', title: 'Row' } },
          { type: 'list_reply', reply: { id: 'r1', title: 'Row' } },
        ],
        [
          { type: 'button', button: { payload: 'P1', text: 'Yes' } },
          { type: 'button_reply', reply: { id: 'P1' } },
        ],
        [
          { type: 'location', location: { latitude: 1.5, longitude: 2.5 } },
          { type: 'location', latitude: 1.5 },
        ],
        [{ type: 'contacts', contacts: [{ name: { formatted_name: 'Bo' } }] }, { type: 'contacts' }],
        [
          { type: 'reaction', reaction: { message_id: 'wamid.X', emoji: '👍' } },
          { type: 'reaction', emoji: '👍' },
        ],
        [
          {
            type: 'order',
            order: {
              catalog_id: 'c',
              product_items: [{ product_retailer_id: 'sku-1', quantity: 2, item_price: 7.99, currency: 'USD' }],
            },
          },
          { type: 'order', catalogId: 'c', products: [{ productId: 'sku-1', quantity: 2 }] },
        ],
        [
          { type: 'interactive', nfm_reply: { name: 'flow', body: 'Sent', response_json: '{"size":"L"}' } },
          { type: 'flow_reply', values: { size: 'L' } },
        ],
        [
          { type: 'interactive', call_permission_reply: { response: 'reject', response_source: 'user_action' } },
          { type: 'call_permission_reply', granted: false },
        ],
        [
          {
            type: 'interactive',
            payment_method: { payment_method: 'offsite_card_pay', reference_id: 'A-1', credential_id: 'crd' },
          },
          { type: 'payment_method_reply', method: 'offsite_card_pay', referenceId: 'A-1', credentialId: 'crd' },
        ],
        [
          {
            type: 'edit',
            edit: { original_message_id: 'wamid.X', message: { type: 'text', text: { body: 'new' } } },
          },
          { type: 'edit', channelMessageId: 'wamid.X', text: 'new' },
        ],
        [
          { type: 'revoke', revoke: { original_message_id: 'wamid.X' } },
          { type: 'deletion', channelMessageId: 'wamid.X' },
        ],
        [{ type: 'unsupported' }, { type: 'unsupported', platformType: 'poll_creation' }],
        [
          { type: 'hologram', hologram: { hz: 60 } },
          { type: 'unsupported', platformType: 'hologram' },
        ],
      ]

      test.each(inbounds)('%j arrives signed and is understood', async (message, content) => {
        const id = await it.inbound({ from: it.openCustomer, name: 'Ana', ...message })
        const found = await item('message', (one) => one.channelMessageId === id)
        expect(found).toMatchObject({ from: { phone: it.openCustomer, name: 'Ana' }, content })
        expect(found.phoneNumberId).toBe(it.number.phoneNumberId)
      })

      test('repeats carry the same key', async () => {
        await it.behave({ callbacks: { duplicate: 1 } })
        const id = await it.inbound({ from: it.openCustomer, text: 'twice' })
        await vi.waitFor(() => {
          const twins = receiver.items.filter((one) => one.dedupeKey === `message:${id}`)
          expect(twins.length).toBeGreaterThanOrEqual(2)
        })
      })

      test('events of the account arrive with nothing but the account to route by', async () => {
        await it.event('account_update', { event: 'ACCOUNT_RESTRICTION' })
        const found = await item('account', ({ event }) => event === 'ACCOUNT_RESTRICTION')
        expect(found).toMatchObject({ wabaId: it.number.wabaId, phoneNumberId: null })
      })

      test('members no document mentions change nothing', async () => {
        await it.behave({ callbacks: { unknown_fields: true } })
        const { messageId } = await send({ type: 'text', text: 'with extras' })
        await status(messageId, 'delivered')
      })

      test('not one of them failed its signature', () => {
        expect(receiver.items.length).toBeGreaterThan(0)
        expect(receiver.unsigned).toBe(0)
      })
    })
  })
}

/** A header, two variables, a footer and two buttons; the words can be chosen, since two templates may not share them. */
function draft(name: string, words = `Words of ${name}`): TemplateDraft {
  const variable = (position: number, example: string) => ({
    component: 'body' as const,
    position,
    name: null,
    example,
  })
  return {
    content: {
      name,
      language: 'en_US',
      category: 'utility',
      parameter_format: 'positional',
      components: [
        { type: 'header', format: 'text', text: 'Your order' },
        { type: 'body', text: `${words}: hi {{1}}, your total is {{2}} today.` },
        { type: 'footer', text: 'Shop' },
        {
          type: 'buttons',
          buttons: [
            { type: 'quick_reply', text: 'Thanks' },
            { type: 'url', text: 'Track', url: 'https://shop.test/{{1}}', example: 'https://shop.test/A-1001' },
          ],
        },
      ],
      variables: [variable(1, 'Ana'), variable(2, '€42.00')],
    },
  }
}

async function failureOf(promise: Promise<unknown>): Promise<PlatformError> {
  const error = await promise.then(
    () => null,
    (reason: unknown) => reason,
  )
  if (!(error instanceof PlatformError)) throw new Error('A PlatformError was expected.', { cause: error })
  return error
}

async function drain<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const all: Item[] = []
  for await (const one of items) all.push(one)
  return all
}

function hex(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}
