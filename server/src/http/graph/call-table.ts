import type { GraphObject } from '../../connections/pass-call.ts'
import type { Scope } from '../../contract/scopes.ts'

/** A call that goes to Meta as it is, once. What is in no table does not exist for a connection. */
export type PassedRow = {
  of: GraphObject['kind']
  /** Null for what every connection may read. */
  scope: Scope | null
  /** Shows customers: for connections that may read messages. */
  personal?: boolean
  /** Allowed query parameters, and the plain fields that they can name. */
  parameters?: readonly string[]
  fields?: readonly string[]
  /** The answer lists all numbers of the business account, and the connection may use some of them. */
  listsNumbers?: boolean
  /** Is about all numbers of the business account: not for a connection with some of them. */
  wholeAccount?: boolean
  /** Not the object itself but figures of it: the one expansion of fields that is passed on. */
  analytics?: boolean
  /** Our copy is read again afterwards. */
  changesTemplates?: boolean
  /** Who is blocked is known here too. */
  changesBlocks?: boolean
}

/** Plain fields alone: an edge among them would be an expansion under another name. */
const numberFields =
  `id display_phone_number verified_name quality_rating quality_score code_verification_status platform_type
  throughput name_status new_name_status status account_mode is_official_business_account is_pin_enabled is_on_biz_app
  health_status messaging_limit_tier whatsapp_business_manager_messaging_limit last_onboarded_time username certificate
  new_certificate conversational_automation search_visibility host_platform is_preverified_number
  eligibility_for_api_business_global_search webhook_configuration country_code country_dial_code
  whatsapp_business_account`.split(/\s+/)
const accountFields = `id name currency timezone_id message_template_namespace account_review_status
  business_verification_status country ownership_type primary_business_location health_status is_enabled_for_insights
  marketing_messages_lite_api_status marketing_messages_onboarding_status status
  whatsapp_business_manager_messaging_limit owner_business_info on_behalf_of_business_info`.split(/\s+/)
const templateFields = `id name status category language components quality_score rejected_reason previous_category
  correct_category sub_category parameter_format message_send_ttl_seconds cta_url_link_tracking_opted_out
  library_template_name last_updated_time degrees_of_freedom_spec is_primary_device_delivery_only
  namespace`.split(/\s+/)
const profileFields = 'about address description email profile_picture_url websites vertical id'.split(' ')
const flowFields = 'id name status categories validation_errors json_version preview'.split(' ')
const linkFields = 'code prefilled_message deep_link_url qr_image_url'.split(' ')

const page = ['limit', 'after', 'before']
const templateFilters = ['name', 'name_or_content', 'status', 'language', 'category', 'content', 'quality_score']
const pass: Scope = 'graph:pass'

/** By method and edge. `{}` is the name of one thing on an edge. */
export const passedCalls: Readonly<Record<string, readonly PassedRow[]>> = {
  'GET ': [
    { of: 'number', scope: null, fields: numberFields },
    { of: 'waba', scope: null, fields: accountFields },
    { of: 'waba', scope: pass, analytics: true, wholeAccount: true },
    { of: 'template', scope: 'templates:read', fields: templateFields },
  ],
  'POST ': [{ of: 'template', scope: 'templates:write', changesTemplates: true }],
  'GET phone_numbers': [{ of: 'waba', scope: null, parameters: page, fields: numberFields, listsNumbers: true }],
  'GET message_templates': [
    { of: 'waba', scope: 'templates:read', parameters: [...page, ...templateFilters], fields: templateFields },
  ],
  'POST message_templates': [{ of: 'waba', scope: 'templates:write', changesTemplates: true }],
  'DELETE message_templates': [
    { of: 'waba', scope: 'templates:write', parameters: ['name', 'hsm_id', 'hsm_ids'], changesTemplates: true },
  ],
  'GET whatsapp_business_profile': [{ of: 'number', scope: 'profile:read', fields: profileFields }],
  'POST whatsapp_business_profile': [{ of: 'number', scope: 'profile:write' }],
  'GET block_users': [{ of: 'number', scope: 'blocked:read', parameters: page, personal: true }],
  'POST block_users': [{ of: 'number', scope: 'blocked:write', changesBlocks: true }],
  'DELETE block_users': [{ of: 'number', scope: 'blocked:write', changesBlocks: true }],
  'POST calls': [{ of: 'number', scope: pass }],
  'GET call_permissions': [{ of: 'number', scope: pass, parameters: ['user_wa_id', 'recipient'] }],
  'GET settings': [{ of: 'number', scope: pass }],
  'GET message_qrdls': [{ of: 'number', scope: pass, parameters: [...page, 'code'], fields: linkFields }],
  'POST message_qrdls': [{ of: 'number', scope: pass }],
  'GET message_qrdls/{}': [{ of: 'number', scope: pass, fields: linkFields }],
  'DELETE message_qrdls/{}': [{ of: 'number', scope: pass }],
  'GET whatsapp_commerce_settings': [{ of: 'number', scope: pass }],
  'POST whatsapp_commerce_settings': [{ of: 'number', scope: pass }],
  'GET username': [{ of: 'number', scope: pass, fields: ['username', 'status'] }],
  'POST username': [{ of: 'number', scope: pass }],
  'DELETE username': [{ of: 'number', scope: pass }],
  'GET username_suggestions': [{ of: 'number', scope: pass, fields: ['username_suggestions'] }],
  'GET groups': [{ of: 'number', scope: pass, parameters: page }],
  'POST groups': [{ of: 'number', scope: pass }],
  'GET flows': [{ of: 'waba', scope: pass, parameters: page, fields: flowFields, wholeAccount: true }],
  'POST flows': [{ of: 'waba', scope: pass, wholeAccount: true }],
  'GET template_analytics': [
    {
      of: 'waba',
      scope: pass,
      parameters: [...page, 'start', 'end', 'granularity', 'metric_types', 'template_ids'],
      wholeAccount: true,
    },
  ],
}

/** Change what a call is, or make several of one: none of Meta's own tricks is passed on. */
export const refusedParameters = ['method', 'batch', 'ids', 'callback', 'debug'] as const

/** A call that the gateway answers itself, or that means something else here than at Meta; for the reference. */
export type OwnCall = { path: string; methods: readonly string[]; scope: Scope | null; does: string }

/** By the route they are declared with. */
export const ownCalls: Readonly<Record<string, OwnCall>> = {
  '/:number/messages': {
    path: '{number}/messages',
    methods: ['POST'],
    scope: 'messages:send',
    does: 'sends a message; with `status: read` marks one as read',
  },
  '/:number/marketing_messages': {
    path: '{number}/marketing_messages',
    methods: ['POST'],
    scope: 'messages:send',
    does: 'sends a marketing message',
  },
  '/:number/media': {
    path: '{number}/media',
    methods: ['POST'],
    scope: 'media:write',
    does: "stores the file, uploads it, and returns Meta's id",
  },
  '/media/:id': {
    path: 'media/{file}',
    methods: ['GET'],
    scope: 'media:read',
    does: 'the bytes of a file; a signed link works for five minutes without a token',
  },
  '/:app/uploads': {
    path: '{app}/uploads',
    methods: ['POST'],
    scope: 'media:write',
    does: "opens a resumable upload with the channel's app; `app` stands for the id",
  },
  '/upload:::session': {
    path: 'upload:{session}',
    methods: ['GET', 'POST'],
    scope: 'media:write',
    does: 'continues it, by the connection that opened it',
  },
  '/': { path: '/', methods: ['GET'], scope: null, does: 'error 100, as at Meta: tools test a connection with it' },
  '/me': { path: 'me', methods: ['GET'], scope: null, does: 'id and name of the connection' },
  '/debug_token': { path: 'debug_token', methods: ['GET'], scope: null, does: 'what the own token may do' },
  '/oauth/access_token': {
    path: 'oauth/access_token',
    methods: ['GET', 'POST'],
    scope: null,
    does: 'the app token, for `client_credentials` with app ID and app secret',
  },
  '/:number/register': {
    path: '{number}/register',
    methods: ['POST'],
    scope: null,
    does: 'a success, because the number is registered; nothing is called',
  },
  '/:id/subscriptions': {
    path: '{app}/subscriptions',
    methods: ['GET', 'POST', 'DELETE'],
    scope: 'webhooks:write',
    does: "the connection's callback address, with the app token; reading needs no scope; `app` stands for the id",
  },
  '/:id/subscribed_apps': {
    path: '{business account}/subscribed_apps',
    methods: ['GET', 'POST', 'DELETE'],
    scope: 'webhooks:write',
    does: 'the same, with `override_callback_uri`; without it a success',
  },
  // Not routes of their own: they come before the table above.
  '/:id': {
    path: '{file}',
    methods: ['GET', 'DELETE'],
    scope: 'media:read',
    does: 'an upload of the tool or a file of a customer; deleting needs `media:write`',
  },
  '/:id/webhook_configuration': {
    path: '{number}` with `webhook_configuration',
    methods: ['POST'],
    scope: 'webhooks:write',
    does: "the connection's callback address",
  },
}
