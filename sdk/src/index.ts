/**
 * Client of the Postern messaging gateway.
 *
 * Names are camelCase here and snake_case on the wire, by the rule described in `case.ts`.
 * @packageDocumentation
 */

export { Postern, type PosternOptions } from './client.ts'
export * as errors from './errors.ts'
export type { AnswerFacts, ApiPromise, WithResponse } from './http/api-promise.ts'
export type { ApiRequest, RequestOptions } from './http/call.ts'
export type { RequestNotice, ResponseNotice } from './http/hooks.ts'
export type { List, Page } from './http/pagination.ts'
export type { RateLimit, RateLimitWindow } from './http/rate-limit.ts'
export type * from './resources/analytics.ts'
export type * from './resources/auth.ts'
export type * from './resources/blocked.ts'
export type * from './resources/broadcast-types.ts'
export type * from './resources/broadcasts.ts'
export type * from './resources/budgets.ts'
export type * from './resources/component-types.ts'
export type { EventConsumer } from './resources/consume-events.ts'
export type * from './resources/content-types.ts'
export type * from './resources/conversations.ts'
export type * from './resources/customers.ts'
export type * from './resources/entry-points.ts'
export type * from './resources/event-types.ts'
export type * from './resources/events.ts'
export type * from './resources/interactive-types.ts'
export type * from './resources/media.ts'
export type * from './resources/message-types.ts'
export type * from './resources/messages.ts'
export type * from './resources/profile.ts'
export type * from './resources/template-types.ts'
export type * from './resources/templates.ts'
export type * from './resources/webhook-types.ts'
export type * from './resources/webhooks.ts'
export { version } from './version.ts'
export * as webhooks from './webhooks/webhooks.ts'
