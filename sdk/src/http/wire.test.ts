import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, expectTypeOf, test } from 'vitest'
import type { Postern } from '../client.ts'
import type { ErrorCode, ErrorType, PosternError } from '../errors.ts'
import type * as sdk from '../index.ts'
import type { operations } from '../types.ts'
import { freeFormMaps } from './case.ts'
import type { Answer, Data, Filters, Input, Open, Schemas, Word } from './wire.ts'

const run = promisify(execFile)

/** What each method resolves to, or lists, by the operation it calls. */
type Results = {
  getCurrentUser: Awaited<ReturnType<Postern['auth']['me']>>
  revokeToken: Awaited<ReturnType<Postern['auth']['revoke']>>
  getAnalytics: Awaited<ReturnType<Postern['analytics']['get']>>
  getCosts: Awaited<ReturnType<Postern['analytics']['costs']>>
  getServiceTimes: Awaited<ReturnType<Postern['analytics']['serviceTimes']>>
  uploadMedia: Awaited<ReturnType<Postern['media']['upload']>>
  getMedia: Awaited<ReturnType<Postern['media']['get']>>
  deleteMedia: Awaited<ReturnType<Postern['media']['delete']>>
  getMessage: Awaited<ReturnType<Postern['messages']['get']>>
  listMessages: Page<'messages', ReturnType<Postern['messages']['list']>>
  cancelMessage: Awaited<ReturnType<Postern['messages']['cancel']>>
  cancelMessages: Awaited<ReturnType<Postern['messages']['cancelAll']>>
  markMessageRead: Awaited<ReturnType<Postern['messages']['markRead']>>
  listTemplates: Page<'templates', ReturnType<Postern['templates']['list']>>
  createTemplate: Awaited<ReturnType<Postern['templates']['create']>>
  getTemplate: Awaited<ReturnType<Postern['templates']['get']>>
  updateTemplate: Awaited<ReturnType<Postern['templates']['update']>>
  deleteTemplate: Awaited<ReturnType<Postern['templates']['delete']>>
  previewTemplate: Awaited<ReturnType<Postern['templates']['preview']>>
  getProfile: Awaited<ReturnType<Postern['profile']['get']>>
  updateProfile: Awaited<ReturnType<Postern['profile']['update']>>
  listLinks: Awaited<ReturnType<Postern['links']['list']>>
  createLink: Awaited<ReturnType<Postern['links']['create']>>
  updateLink: Awaited<ReturnType<Postern['links']['update']>>
  deleteLink: Awaited<ReturnType<Postern['links']['delete']>>
  getAutomation: Awaited<ReturnType<Postern['automation']['get']>>
  setAutomation: Awaited<ReturnType<Postern['automation']['set']>>
  getKeywords: Awaited<ReturnType<Postern['keywords']['get']>>
  setKeywords: Awaited<ReturnType<Postern['keywords']['set']>>
  listBlocked: Page<'blocked', ReturnType<Postern['blocked']['list']>> & { phoneNumber: string }
  listConversations: Page<'conversations', ReturnType<Postern['conversations']['list']>>
  getConversation: Awaited<ReturnType<Postern['conversations']['get']>>
  assignConversation: Awaited<ReturnType<Postern['conversations']['assign']>>
  closeConversation: Awaited<ReturnType<Postern['conversations']['close']>>
  reopenConversation: Awaited<ReturnType<Postern['conversations']['reopen']>>
  listAssignees: Awaited<ReturnType<Postern['conversations']['assignees']>>
  listBudgets: Awaited<ReturnType<Postern['budgets']['list']>>
  createBudget: Awaited<ReturnType<Postern['budgets']['create']>>
  updateBudget: Awaited<ReturnType<Postern['budgets']['update']>>
  deleteBudget: Awaited<ReturnType<Postern['budgets']['delete']>>
  listSavedReplies: Awaited<ReturnType<Postern['savedReplies']['list']>>
  createSavedReply: Awaited<ReturnType<Postern['savedReplies']['create']>>
  updateSavedReply: Awaited<ReturnType<Postern['savedReplies']['update']>>
  deleteSavedReply: Awaited<ReturnType<Postern['savedReplies']['delete']>>
  getConversationControl: Awaited<ReturnType<Postern['conversations']['control']>>
  controlConversation: Awaited<ReturnType<Postern['conversations']['setControl']>>
  blockCustomers: Awaited<ReturnType<Postern['blocked']['add']>>
  unblockCustomer: Awaited<ReturnType<Postern['blocked']['remove']>>
  listCustomers: Page<'customers', ReturnType<Postern['customers']['list']>>
  createCustomer: Awaited<ReturnType<Postern['customers']['create']>>
  getCustomer: Awaited<ReturnType<Postern['customers']['get']>>
  setCustomerPreference: Awaited<ReturnType<Postern['customers']['setPreference']>>
  createBroadcast: Awaited<ReturnType<Postern['broadcasts']['create']>>
  listBroadcasts: Page<'broadcasts', ReturnType<Postern['broadcasts']['list']>>
  getBroadcast: Awaited<ReturnType<Postern['broadcasts']['get']>>
  updateBroadcast: Awaited<ReturnType<Postern['broadcasts']['update']>>
  deleteBroadcast: Awaited<ReturnType<Postern['broadcasts']['delete']>>
  uploadRecipients: Awaited<ReturnType<Postern['broadcasts']['upload']>>
  estimateBroadcast: Awaited<ReturnType<Postern['broadcasts']['estimate']>>
  previewBroadcast: Awaited<ReturnType<Postern['broadcasts']['preview']>>
  testBroadcast: Awaited<ReturnType<Postern['broadcasts']['test']>>
  startBroadcast: Awaited<ReturnType<Postern['broadcasts']['start']>>
  pauseBroadcast: Awaited<ReturnType<Postern['broadcasts']['pause']>>
  resumeBroadcast: Awaited<ReturnType<Postern['broadcasts']['resume']>>
  cancelBroadcast: Awaited<ReturnType<Postern['broadcasts']['cancel']>>
  listRecipients: Page<'recipients', ReturnType<Postern['broadcasts']['recipients']>>
  copyBroadcast: Awaited<ReturnType<Postern['broadcasts']['copy']>>
  createWebhook: Awaited<ReturnType<Postern['webhooks']['create']>>
  getWebhook: Awaited<ReturnType<Postern['webhooks']['get']>>
  updateWebhook: Awaited<ReturnType<Postern['webhooks']['update']>>
  deleteWebhook: Awaited<ReturnType<Postern['webhooks']['delete']>>
  verifyWebhook: Awaited<ReturnType<Postern['webhooks']['verify']>>
  testWebhook: Awaited<ReturnType<Postern['webhooks']['test']>>
  rotateWebhookSecret: Awaited<ReturnType<Postern['webhooks']['rotateSecret']>>
  listDeliveries: Page<'deliveries', ReturnType<Postern['webhooks']['deliveries']>>
  getDelivery: Awaited<ReturnType<Postern['webhooks']['delivery']>>
  retryDelivery: Awaited<ReturnType<Postern['webhooks']['retry']>>
  replayDeliveries: Awaited<ReturnType<Postern['webhooks']['replay']>>
  listEvents: Page<'events', ReturnType<Postern['events']['list']>>
  listWebhooks: { webhooks: ItemOf<ReturnType<Postern['webhooks']['list']>>[] }
}
type ItemOf<L> = L extends AsyncIterable<infer Item> ? Item : never
type Page<Name extends string, L> = { [N in Name]: ItemOf<L>[] } & { pagination: Answer<'Pagination'> }

/** The operations the client calls by itself, those that answer bytes, and those that are for the command line. */
type WithoutMethod = 'createToken' | 'refreshToken' | AnswersBytes | ForTheCommandLine
type AnswersBytes = 'getMediaContent' | 'getUploadProblems' | 'exportRecipients'
type ForTheCommandLine = 'listenToEvents' | 'reportForwarded' | 'triggerEvent'

/** Sends answer in one of two ways, each a schema. */
type Sends =
  | 'sendText'
  | 'sendTemplate'
  | 'sendMedia'
  | 'sendInteractive'
  | 'sendLocation'
  | 'sendContacts'
  | 'sendSticker'
  | 'sendReaction'
declare const messages: Postern['messages']
type Sent = {
  SentText: Awaited<ReturnType<typeof messages.send<false>>>
  SentTemplate: Awaited<ReturnType<typeof messages.sendTemplate<false>>>
  SentOther: Awaited<
    ReturnType<
      | typeof messages.sendMedia<false>
      | typeof messages.sendInteractive<false>
      | typeof messages.sendLocation<false>
      | typeof messages.sendContacts<false>
      | typeof messages.sendSticker<false>
      | typeof messages.sendReaction<false>
    >
  >
  DryRun: sdk.DryRun
}

/** What methods take for a body, by operation. `body` is the short form of template values, which is the SDK's own. */
type Bodies = {
  SendText: sdk.TextMessage
  SendTemplate: Omit<sdk.TemplateMessage, 'body'>
  SendMedia: sdk.MediaMessage
  SendInteractive: sdk.InteractiveMessage
  SendLocation: sdk.LocationMessage
  SendContacts: sdk.ContactsMessage
  SendSticker: sdk.StickerMessage
  SendReaction: sdk.ReactionMessage
  MarkRead: sdk.MarkReadParams
  TemplateDraft: sdk.TemplateDraft
  TemplateChanges: sdk.TemplateChanges
  TemplateComponentDraft: sdk.TemplatePartDraft
  TemplatePreviewRequest: sdk.PreviewValues
  BusinessProfileChanges: sdk.BusinessProfileChanges
  BlockRequest: sdk.BlockRequest
  WebhookDraft: sdk.WebhookDraft
  WebhookChanges: sdk.WebhookChanges
  RotateRequest: sdk.RotateParams
  RevokeRequest: sdk.RevokeParams
}

type Queries = {
  listMessages: sdk.MessageFilters
  listTemplates: sdk.TemplateFilters
  listDeliveries: sdk.DeliveryFilters
  listEvents: sdk.EventFilters
  getAnalytics: sdk.AnalyticsQuery
  getCosts: sdk.CostsQuery
  getServiceTimes: sdk.ServiceTimesQuery
  getProfile: sdk.ProfileFilters
  listBlocked: sdk.BlockedFilters
  listCustomers: sdk.CustomerFilters
  listBroadcasts: sdk.BroadcastFilters
  listRecipients: sdk.RecipientFilters
  uploadRecipients: sdk.UploadOptions
}

/** Names that only the first has, at any depth. Alternatives of a union are taken together; free keys are no names. */
type Extra<A, B> = A extends readonly (infer Item)[]
  ? Extra<Item, B extends readonly (infer Other)[] ? Other : never>
  : A extends string
    ? never
    : A extends object
      ? string extends keyof A | KeyOf<B>
        ? never
        : Exclude<keyof A, KeyOf<B>> | { [Name in keyof A]-?: Extra<A[Name], MemberOf<B, Name>> }[keyof A]
      : never

/** Names whose texts, numbers or nulls of the second the first leaves out, at any depth. */
type Lost<A, B, At = 'all'> = [B] extends [A] ? never : [Exclude<B, object>] extends [A] ? LostIn<A, B, At> : At
type LostIn<A, B, At> = A extends readonly (infer Item)[]
  ? Lost<Item, B extends readonly (infer Other)[] ? Other : never, At>
  : A extends string
    ? never
    : A extends object
      ? string extends keyof A | KeyOf<B>
        ? never
        : { [Name in keyof A]-?: Lost<A[Name], MemberOf<B, Name>, Name> }[keyof A]
      : never

type KeyOf<T> = T extends object ? keyof T : never
type MemberOf<T, Name> = T extends object ? (Name extends keyof T ? T[Name] : never) : never

describe('the types of the SDK', () => {
  test('cover every operation of the document', () => {
    expectTypeOf<Exclude<keyof operations, keyof Results | Sends | WithoutMethod>>().toBeNever()
    expectTypeOf<Exclude<keyof Results, keyof operations>>().toBeNever()
    expectTypeOf<keyof Data<Sends>>().toEqualTypeOf<keyof Answer<keyof Sent>>()
  })

  test('of answers have the members of the document, no other, and all their values', () => {
    type Alien = { [O in keyof Results]: Extra<Results[O], Data<O>> }[keyof Results]
    type Missing = { [O in keyof Results]: Extra<Data<O>, Results[O]> }[keyof Results]
    type Contradicting = { [O in keyof Results]: Results[O] extends Data<O> ? never : O }[keyof Results]
    type Forgotten = { [O in Exclude<keyof Results, 'listEvents'>]: Lost<Results[O], Data<O>> }
    expectTypeOf<Forgotten[keyof Forgotten]>().toBeNever()
    expectTypeOf<Alien>().toBeNever()
    expectTypeOf<Missing>().toBeNever()
    // The document has one form for the data of all events, a record of anything, which no interface is.
    expectTypeOf<Contradicting>().toEqualTypeOf<'listEvents'>()
  })

  test('of sends do so too', () => {
    type Alien = { [N in keyof Sent]: Extra<Sent[N], Answer<N>> }[keyof Sent]
    type Missing = { [N in keyof Sent]: Extra<Answer<N>, Sent[N]> }[keyof Sent]
    type Contradicting = { [N in keyof Sent]: Sent[N] extends Answer<N> ? never : N }[keyof Sent]
    type Forgotten = { [N in keyof Sent]: Lost<Sent[N], Answer<N>> }[keyof Sent]
    expectTypeOf<Alien | Missing | Contradicting | Forgotten>().toBeNever()
  })

  test('of a send follow from whether it is a dry run', () => {
    expectTypeOf<Awaited<ReturnType<typeof messages.send<true>>>>().toEqualTypeOf<sdk.DryRun>()
    expectTypeOf<Awaited<ReturnType<typeof messages.send<boolean>>>>().toEqualTypeOf<sdk.DryRun | sdk.SentText>()
    const real = () => messages.send({ to: '+1', message: 'Hello' }, { idempotencyKey: 'a' })
    expectTypeOf<Awaited<ReturnType<typeof real>>>().toEqualTypeOf<sdk.SentText>()
    const dry = () => messages.send({ to: '+1', message: 'Hello' }, { dryRun: true })
    expectTypeOf<Awaited<ReturnType<typeof dry>>>().toEqualTypeOf<sdk.DryRun>()
    // @ts-expect-error A misspelled option is an error.
    const wrong = () => messages.send({ to: '+1', message: 'Hello' }, { idempotencykey: 'a' })
    expectTypeOf(wrong).toBeFunction()
  })

  test('of requests have the members of the document, and no other', () => {
    type Alien = { [N in keyof Bodies]: Exclude<KeyOf<Bodies[N]>, keyof Input<N>> }[keyof Bodies]
    type Missing = { [N in keyof Bodies]: Exclude<keyof Input<N>, KeyOf<Bodies[N]>> }[keyof Bodies]
    type Contradicting = { [N in keyof Bodies]: Bodies[N] extends Input<N> ? never : N }[keyof Bodies]
    expectTypeOf<Alien>().toBeNever()
    expectTypeOf<Missing>().toBeNever()
    expectTypeOf<Contradicting>().toBeNever()
  })

  test('of filters have the parameters of the document, and no other', () => {
    type Alien = { [O in keyof Queries]: Exclude<keyof Queries[O], keyof Filters<O>> }[keyof Queries]
    type Missing = { [O in keyof Queries]: Exclude<keyof Filters<O>, keyof Queries[O]> }[keyof Queries]
    expectTypeOf<Alien>().toBeNever()
    expectTypeOf<Missing>().toBeNever()
  })

  test('know every event', () => {
    expectTypeOf<sdk.PosternEvent['type']>().toEqualTypeOf<Schemas['WebhookTestRequest']['type']>()
  })

  test('say what can be null', () => {
    expectTypeOf<sdk.MediaFile['size']>().toEqualTypeOf<number | null>()
    expectTypeOf<sdk.MediaFile['sha256']>().toEqualTypeOf<string | null>()
    expectTypeOf<sdk.PhoneNumber['displayName' | 'quality']>().toEqualTypeOf<string | null>()
    expectTypeOf<sdk.Template['variables'][number]['name' | 'example']>().toEqualTypeOf<string | null>()
    expectTypeOf<sdk.Message['contact']>().toEqualTypeOf<{ name: string | null } | null>()
    expectTypeOf<sdk.AnalyticsSeries['group']['phone_number']>().toEqualTypeOf<string | null | undefined>()
    expectTypeOf<sdk.ContentMedia['size']>().toEqualTypeOf<number | null>()
  })

  test('offer the codes of the table of errors and take others', () => {
    expectTypeOf<PosternError['code']>().toEqualTypeOf<ErrorCode>()
    expectTypeOf<Exclude<Schemas['ApiError']['code'], Known<ErrorCode>>>().toBeNever()
    expectTypeOf<Extract<ErrorCode, 'customer_window_closed'>>().toEqualTypeOf<'customer_window_closed'>()
    expectTypeOf<Exclude<Schemas['ApiError']['type'], Known<ErrorType>>>().toBeNever()
    expectTypeOf<string>().toExtend<ErrorCode>()
  })
})

/** The words of an open enum. */
type Known<T> = T extends string ? (string extends T ? never : T) : never

describe('an answer', () => {
  test('may have words this version does not know, where it has several', () => {
    expectTypeOf<Open<{ status: 'a' | 'b' | null; kind: 'a'; all: ('a' | 'b')[] }>>().toEqualTypeOf<{
      status: 'a' | 'b' | Word | null
      kind: 'a'
      all: ('a' | 'b' | Word)[]
    }>()
  })

  test('that is one of several forms can still be told from the others', () => {
    type Header = NonNullable<sdk.TemplatePreview['header']>
    expectTypeOf<Extract<Header, { kind: 'text' }>['text']>().toEqualTypeOf<string>()
    expectTypeOf<Exclude<Header, { kind: 'text' }>['kind']>().toEqualTypeOf<
      'image' | 'video' | 'document' | 'location' | 'product'
    >()
  })
})

test('the compiler agrees with what the tests of this folder say about types', { timeout: 60_000 }, async () => {
  const root = resolve(import.meta.dirname, '../../..')
  const tsc = join(root, 'node_modules/typescript/bin/tsc')
  const { stdout } = await run(process.execPath, [tsc, '--noEmit', '-p', join(root, 'sdk')]).catch(
    (failure: { stdout: string }) => failure,
  )
  expect(stdout).toBe('')
})

test('every map of the document keeps its keys, or has a type of the SDK that names them', async () => {
  const text = await readFile(new URL('../../../docs/api/openapi.json', import.meta.url), 'utf8')
  const { components } = JSON.parse(text) as { components: { schemas: Record<string, unknown> } }
  // MessageContent, the data of PosternEvent, and TemplatePart. Values of recipients are sent as they are.
  const named = ['content', 'data', 'TemplateComponent', 'values']
  const maps = new Set(mapsIn(components.schemas, ''))
  const kept = ['flow_action_data', 'payment_settings', 'request_headers', 'response_headers', 'screen_data', 'skipped']
  expect([...maps].filter((name) => !named.includes(name)).toSorted()).toEqual(kept)
  expect(freeFormMaps).toEqual(expect.arrayContaining(kept))
})

/** Names of the members that have free keys. */
function mapsIn(schema: unknown, name: string): string[] {
  if (typeof schema !== 'object' || schema === null) return []
  const isMap = 'additionalProperties' in schema && schema.additionalProperties !== false
  const inside = Object.entries(schema).flatMap(([key, part]) => mapsIn(part, keywords.has(key) ? name : key))
  return isMap ? [name, ...inside] : inside
}

const keywords = new Set(['properties', 'items', 'anyOf', 'oneOf', 'allOf', 'additionalProperties'])
