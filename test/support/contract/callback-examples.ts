/**
 * Changes of a callback as Meta's pages, and public clients that follow them, show them: those that no single file of
 * `sandbox/contract` has, above all forms of autumn 2026 and fields that nothing here uses. `becomes` is what is made of
 * each: kinds of items, and for what is only kept and counted the reason.
 */
export type CallbackExample = { name: string; field: string; value: object; becomes: string[] }

const metadata = { display_phone_number: '15550100001', phone_number_id: '106540352242922' }
const about = { messaging_product: 'whatsapp', metadata }
const userId = 'US.13491208655302741918'
const contact = { profile: { name: 'Ana', username: 'ana' }, user_id: userId }
const at = '1795000000'
const from = { from: '12025550100', from_user_id: userId, timestamp: at }
const text = { type: 'text', text: { body: 'Hello' } }

let count = 0
const id = () => `wamid.EXAMPLE${++count}`
const message = (part: object) => ({ ...about, contacts: [contact], messages: [{ ...from, id: id(), ...part }] })
const status = (part: object) => ({
  ...about,
  statuses: [{ id: id(), timestamp: at, recipient_id: '12025550100', ...part }],
})
const handover = (part: object) => ({
  messaging_product: 'whatsapp',
  sender: { phone_number: '12025550100' },
  recipient: { phone_number_id: metadata.phone_number_id, display_phone_number: metadata.display_phone_number },
  timestamp: at,
  ...part,
})
const call = { id: 'wacid.EXAMPLE', from: '12025550100', to: '15550100001', timestamp: at, direction: 'USER_INITIATED' }
const echo = { from: '15550100001', to: '12025550100', timestamp: at }
const priced = (type: string, category: string, more: object = {}) =>
  status({ status: 'delivered', pricing: { pricing_model: 'PMP', type, category, ...more } })

const identity: CallbackExample[] = [
  {
    name: 'a user id that changed, as it was documented once',
    field: 'user_id_update',
    value: {
      ...about,
      user_id_update: [{ wa_id: '12025550100', user_id: { previous: 'US.1', current: userId }, timestamp: at }],
    },
    becomes: ['identity'],
  },
  {
    name: 'a user id that changed, with neither contacts nor from',
    field: 'messages',
    value: {
      ...about,
      messages: [
        {
          id: id(),
          timestamp: at,
          type: 'system',
          system: {
            type: 'user_changed_user_id',
            body: 'x',
            user_id: userId,
            previous_user_id: 'US.1',
            previous_parent_user_id: 'US.ENT.1',
          },
        },
      ],
    },
    becomes: ['message'],
  },
  {
    name: 'a number that was asked for',
    field: 'messages',
    value: message({
      from: undefined,
      type: 'contacts',
      contacts: [
        { origin: 'contact_request', phones: [{ phone: '+1 202 555 0100', wa_id: '12025550100', type: 'CELL' }] },
      ],
    }),
    becomes: ['message'],
  },
  {
    name: 'a card of another person',
    field: 'messages',
    value: message({
      type: 'contacts',
      contacts: [{ origin: 'other', vcard: 'BEGIN:VCARD', phones: [{ wa_id: '12025550111' }] }],
    }),
    becomes: ['message'],
  },
  ...['approved', 'reserved', 'deleted'].map((state) => ({
    name: `a username that is ${state}`,
    field: 'business_username_updates',
    value: {
      display_phone_number: '15550100001',
      ...(state !== 'deleted' && { username: 'acme' }),
      status: state,
      context: 'revoked',
    },
    becomes: ['account'],
  })),
]

const threads: CallbackExample[] = [
  { name: 'an empty copy', field: 'standby', value: { ...about, standby: {} }, becomes: ['not_used'] },
  {
    name: 'a copy of what another responder sent',
    field: 'standby',
    value: {
      ...about,
      standby: {
        contacts: [contact],
        message_echoes: [{ id: id(), timestamp: at, message: { recipient: userId, ...text } }],
      },
    },
    becomes: ['echo'],
  },
  {
    name: 'a copy of a template with its definition',
    field: 'standby',
    value: {
      ...about,
      standby: {
        message_echoes: [
          {
            id: id(),
            timestamp: at,
            message: { to: '12025550100', type: 'template', template: { name: 'hello', language: { code: 'en' } } },
            template: { name: 'hello', components: [{ type: 'BODY', text: 'Hello' }] },
          },
        ],
      },
    },
    becomes: ['echo'],
  },
  {
    name: 'copies of statuses',
    field: 'standby',
    value: {
      ...about,
      standby: { statuses: [{ id: id(), status: 'sent', timestamp: at, recipient_user_id: userId }] },
    },
    becomes: ['status'],
  },
  {
    name: 'control taken by a service message',
    field: 'messaging_handovers',
    value: handover({
      type: 'control_taken',
      control_taken: { new_owner_role: 'escalation', metadata: 'Control taken via service message' },
    }),
    becomes: ['handover'],
  },
  {
    name: 'control passed, in an older form',
    field: 'messaging_handovers',
    value: handover({
      control_passed: { metadata: '{"reason":"MARKETING_MESSAGE"}', previous_owner_app_role: 'meta_business_agent' },
    }),
    becomes: ['handover'],
  },
  {
    name: 'a handover that names no customer',
    field: 'messaging_handovers',
    value: handover({ sender: {}, control_passed: {} }),
    becomes: ['not_used'],
  },
  {
    name: 'a message with what the previous responder wrote',
    field: 'messages',
    value: { ...message(text), conversation_context: { type: 'summary', summary: { text: 'Wants a refund' } } },
    becomes: ['message'],
  },
  {
    name: 'that alone',
    field: 'messages',
    value: { ...about, conversation_context: { type: 'summary', summary: { text: 'Wants a refund' } } },
    becomes: ['not_used'],
  },
  {
    name: 'an edit and a deletion in the app',
    field: 'smb_message_echoes',
    value: {
      ...about,
      message_echoes: [
        { ...echo, id: id(), type: 'edit', edit: { original_message_id: 'wamid.A', message: text } },
        { ...echo, id: id(), type: 'revoke', revoke: { original_message_id: 'wamid.A' } },
      ],
    },
    becomes: ['echo', 'echo'],
  },
  {
    name: 'a history that is not shared',
    field: 'history',
    value: { ...about, history: [{ errors: [{ code: 2593109, title: 'Declined' }] }] },
    becomes: ['history_progress'],
  },
  {
    name: 'history under ids alone',
    field: 'history',
    value: {
      ...about,
      history: [
        {
          metadata: { phase: 1, chunk_order: 2, progress: 40 },
          threads: [
            {
              context: { user_id: userId, username: 'ana' },
              messages: [{ ...from, id: id(), type: 'media_placeholder', history_context: { status: 'PLAYED' } }],
            },
          ],
        },
      ],
    },
    becomes: ['past_message', 'history_progress'],
  },
  {
    name: 'a contact of the phone that was removed',
    field: 'smb_app_state_sync',
    value: {
      ...about,
      state_sync: [
        {
          type: 'contact',
          contact: { user_id: userId, full_name: 'Ana' },
          action: 'remove',
          metadata: { timestamp: at },
        },
      ],
    },
    becomes: ['saved_contact'],
  },
  {
    name: 'a message of a device that Meta cannot read',
    field: 'messages',
    value: message({ type: 'unsupported', errors: [{ code: 131060, title: 'Not available' }] }),
    becomes: ['message'],
  },
]

const accounts: CallbackExample[] = [
  ...[
    { event: 'PARTNER_ADDED', waba_info: { waba_id: '1', owner_business_id: '2' } },
    {
      event: 'PARTNER_REMOVED',
      phone_number: '15550100001',
      disconnection_info: { reason: 'COMPANION_INACTIVITY', initiated_by: 'SYSTEM' },
    },
    { event: 'ACCOUNT_OFFBOARDED' },
    { event: 'ACCOUNT_RECONNECTED' },
    {
      event: 'VOLUME_BASED_PRICING_TIER_UPDATE',
      volume_tier_info: {
        tier_update_time: 1,
        pricing_category: 'UTILITY',
        tier: '25000001:50000000',
        effective_month: '2026-11',
        region: 'India',
      },
    },
    {
      event: 'ACCOUNT_RESTRICTION',
      violation_info: { violation_type: 'UTILITY_TEMPLATE_ABUSE_RATE_LIMIT' },
      restriction_info: [{ restriction_type: 'RATE_LIMITED_UTILITY_TEMPLATE_MESSAGING', expiration: 1_795_600_000 }],
    },
    { event: 'SOMETHING_OF_2027', new_info: { a: 1 } },
  ].map((value) => ({
    name: `the account event ${value.event}`,
    field: 'account_update',
    value,
    becomes: ['account'],
  })),
  {
    name: 'settings of a number',
    field: 'account_settings_update',
    value: {
      messaging_product: 'whatsapp',
      timestamp: at,
      type: 'phone_number_settings',
      phone_number_settings: { phone_number_id: metadata.phone_number_id, calling: { status: 'ENABLED' } },
    },
    becomes: ['account'],
  },
  {
    name: 'a category that will change',
    field: 'template_category_update',
    value: {
      message_template_id: 1,
      message_template_name: 'a',
      message_template_language: 'en',
      correct_category: 'MARKETING',
      new_category: 'UTILITY',
    },
    becomes: ['template_category'],
  },
  {
    name: 'a category that changed',
    field: 'template_category_update',
    value: {
      message_template_id: 1,
      message_template_name: 'a',
      message_template_language: 'en',
      previous_category: 'UTILITY',
      new_category: 'MARKETING',
    },
    becomes: ['template_category'],
  },
  {
    name: 'a category that Meta would choose',
    field: 'template_correct_category_detection',
    value: {
      message_template_id: 1,
      message_template_name: 'a',
      message_template_language: 'en',
      category: 'UTILITY',
      correct_category: 'MARKETING',
    },
    becomes: ['template_category'],
  },
]

const sends: CallbackExample[] = [
  {
    name: 'a free message of the 1,000',
    field: 'messages',
    value: priced('free_customer_service', 'service'),
    becomes: ['status'],
  },
  {
    name: 'a free message of a group',
    field: 'messages',
    value: priced('free_group_customer_service', 'group_service'),
    becomes: ['status'],
  },
  {
    name: 'an exempt message',
    field: 'messages',
    value: priced('regular', 'utility', { subtype: 'paid_exempt' }),
    becomes: ['status'],
  },
  { name: 'a price of the future', field: 'messages', value: priced('barter', 'telepathy'), becomes: ['status'] },
  {
    name: 'a direct send with its template',
    field: 'messages',
    value: status({ status: 'sent', template_id: '77' }),
    becomes: ['status'],
  },
  {
    name: 'a status of a group',
    field: 'messages',
    value: status({
      status: 'read',
      recipient_type: 'group',
      recipient_id: 'G1',
      recipient_participant_id: '12025550100',
      recipient_participant_user_id: userId,
    }),
    becomes: ['status'],
  },
  {
    name: 'a failure without an id of the customer',
    field: 'messages',
    value: status({ status: 'failed', errors: [{ code: 131049, title: 'Not delivered' }] }),
    becomes: ['status'],
  },
  {
    name: 'a payment',
    field: 'messages',
    value: status({
      type: 'payment',
      status: 'captured',
      payment: {
        reference_id: 'A-1',
        currency: 'INR',
        amount: { value: 100, offset: 100 },
        transaction: { id: 't', type: 'razorpay', status: 'success' },
      },
    }),
    becomes: ['payment'],
  },
  {
    name: 'a saved card to pay with',
    field: 'messages',
    value: message({
      type: 'interactive',
      interactive: {
        type: 'payment_method',
        payment_method: {
          payment_method: 'offsite_card_pay',
          payment_timestamp: 1_795_000_000,
          reference_id: 'A-1',
          last_four_digits: '4242',
          credential_id: 'c',
        },
      },
    }),
    becomes: ['message'],
  },
  {
    name: 'a tap on the order of a template',
    field: 'messages',
    value: message({ type: 'button', button: { payload: 'ORDER_DETAILS_CLICKED' } }),
    becomes: ['message'],
  },
  ...['marketing_messages_link_click', 'landing_page_view'].map((action_type) => ({
    name: `the user action ${action_type}`,
    field: 'messages',
    value: {
      ...about,
      user_actions: [
        {
          action_type,
          timestamp: at,
          marketing_messages_link_click_data: { click_component: 'cta', click_id: '1', tracking_token: 't' },
        },
      ],
    },
    becomes: ['not_used'],
  })),
]

/** Calls open the window; the rest of what is said of them, and what is left out, is kept and counted. */
const leftOut: CallbackExample[] = [
  {
    name: 'a message in a group',
    field: 'messages',
    value: message({ group_id: 'G1', ...text }),
    becomes: ['message'],
  },
  ...['connect', 'terminate', 'call_created', 'call_recording_available', 'call_transcription_available'].map(
    (event) => ({
      name: `the call event ${event}`,
      field: 'calls',
      value: { ...about, contacts: [contact], calls: [{ ...call, event }] },
      becomes: ['call'],
    }),
  ),
  ...['RINGING', 'ACCEPTED', 'REJECTED'].map((word) => ({
    name: `the call status ${word}`,
    field: 'calls',
    value: {
      ...about,
      statuses: [
        {
          id: 'wacid.B',
          type: 'call',
          status: word,
          timestamp: at,
          recipient_id: '12025550100',
          recipient_user_id: userId,
        },
      ],
    },
    becomes: ['call'],
  })),
  ...[
    'group_lifecycle_update',
    'group_participants_update',
    'group_settings_update',
    'group_status_update',
    'flows',
    'payment_configuration_update',
    'partner_solutions',
    'automatic_events',
    'tracking_events',
    'consumer_profile',
    'message_echoes',
    'business_status_update',
  ].map((field) => ({
    name: `the field ${field}`,
    field,
    value: { ...about, event: 'SOMETHING', [field]: [{ type: 'x' }] },
    becomes: ['not_used'],
  })),
  {
    name: 'a field of the future',
    field: 'telepathy',
    value: { ...about, thoughts: [{ id: 1 }] },
    becomes: ['unknown_field'],
  },
]

export const callbackExamples: readonly CallbackExample[] = [...identity, ...threads, ...accounts, ...sends, ...leftOut]
