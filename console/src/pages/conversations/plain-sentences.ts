const tellOwner = 'This number cannot send messages right now. Ask an owner: the Channel page shows the reason.'

/** What happened and what to do, without the words of the API: who answers customers sends no requests. */
const sentences: Readonly<Record<string, string>> = {
  customer_window_closed:
    'The customer last wrote more than 24 hours ago. Send a template, or wait until they write again.',
  recipient_unreachable:
    'This number is not on WhatsApp or cannot receive messages. Check it, or reach the customer in another way.',
  recipient_opted_out: 'The customer opted out of this kind of message. Do not send it again.',
  recipient_blocked: 'You blocked this customer. Unblock them first, then send it again.',
  block_window_closed: 'You can only block customers who wrote in the last 24 hours. Block them when they write again.',
  block_list_full: 'Your number has reached the limit of 64,000 blocked customers. Ask an owner to unblock some.',
  recipient_marketing_limited:
    'WhatsApp did not deliver the message: this customer gets only a few marketing messages. Do not send it again today.',
  recipient_in_experiment:
    'WhatsApp does not deliver marketing messages to this customer. Send a text when they write.',
  recipient_country_restricted: 'WhatsApp does not allow messages to customers in this country.',
  recipient_is_sender: 'This is your own number. Choose another customer.',
  recipient_number_required: 'This message needs the phone number of the customer. Ask for it first.',
  thread_owned_elsewhere:
    'Another responder, such as another app, is handling this customer. Send a template, or wait until it is done.',
  recipient_not_allowed: 'This is a test number: it can only write to the numbers on its list. Ask an owner.',
  message_type_not_supported: 'WhatsApp cannot show this kind of message to the customer. Send it as text.',
  template_not_approved: 'Meta has not approved this template. Choose another one.',
  template_not_found: 'This template no longer exists. Choose another one.',
  template_paused: 'Meta paused this template. Choose another one.',
  template_disabled: 'Meta disabled this template. Choose another one.',
  template_syncing: 'Meta is still preparing this template. Try again in 10 minutes.',
  flow_unavailable: 'Meta has stopped the form in this message. Send another message.',
  template_parameter_mismatch: 'The values do not match the template. Choose it again and fill in every field.',
  media_type_not_supported:
    'WhatsApp does not accept this file type. Send a JPEG or PNG image, a PDF, an MP3 or an MP4.',
  media_too_large:
    'The file is too large: the limit is 5 MB for images, 16 MB for audio and video, and 100 MB for documents.',
  media_content_mismatch: 'The file is damaged, or not what its name says. Choose another one.',
  media_not_found: 'The file is no longer available. Choose it again.',
  channel_rate_limited: 'WhatsApp is rate-limiting this number. Wait a moment, then send it again.',
  rate_limit_exceeded: 'The account has reached the limit of its plan. Try again later, or ask an owner.',
  upstream_unavailable: 'WhatsApp cannot be reached, and nothing was sent. Try again in a few minutes.',
  service_unavailable: 'The gateway cannot accept the message right now. Try again in a minute.',
  send_outcome_unknown:
    'It is not known yet whether the message was sent. Do not send it again: its status appears here.',
  channel_rejected: 'WhatsApp rejected this message.',
  channel_not_connected: tellOwner,
  channel_auth_failed: tellOwner,
  channel_permission_missing: tellOwner,
  channel_number_not_registered: tellOwner,
  channel_number_not_verified: tellOwner,
  channel_number_gone: tellOwner,
  channel_account_restricted: tellOwner,
  channel_spam_limited: tellOwner,
  channel_utility_limited: tellOwner,
  channel_marketing_not_enabled: tellOwner,
  channel_payment_terms_missing: tellOwner,
  channel_payment_missing: tellOwner,
  channel_display_name_needed: tellOwner,
  business_not_verified: tellOwner,
}

export function plainSentence(code: string): string | null {
  return sentences[code] ?? null
}
