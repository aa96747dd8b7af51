const tellOwner = 'Nothing can be sent from this number at the moment. Tell an owner; Channel shows them the reason.'

/** What happened and what to do, without the words of the API: who answers customers sends no requests. */
const sentences: Readonly<Record<string, string>> = {
  customer_window_closed:
    'The customer last wrote more than 24 hours ago. Send a template, or wait until they write again.',
  recipient_unreachable:
    'This number is not on WhatsApp or cannot receive messages. Check it, or reach the customer in another way.',
  recipient_opted_out: 'The customer stopped messages of this kind. Do not send it again.',
  recipient_blocked: 'You blocked this customer. Unblock them first, then send it again.',
  block_window_closed: 'Only who wrote in the last 24 hours can be blocked. Block them when they write again.',
  block_list_full: 'Your number has blocked 64,000 customers, the most there can be. Ask an owner to unblock some.',
  recipient_not_allowed: 'The business number is for tests and may write to listed numbers only. Ask an owner.',
  message_type_not_supported: 'WhatsApp cannot show this kind of message to the customer. Write it as a text.',
  template_not_approved: 'Meta has not approved this template. Choose another one.',
  template_not_found: 'This template is gone. Choose another one.',
  template_paused: 'Meta paused this template. Choose another one.',
  template_parameter_mismatch: 'The values do not fit the template. Choose it again and fill in every field.',
  media_type_not_supported:
    'WhatsApp does not take this kind of file. Send a JPEG or PNG picture, a PDF, an MP3 or an MP4.',
  media_too_large: 'The file is too large: pictures may have 5 MB, audio and video 16 MB, documents 100 MB.',
  media_content_mismatch: 'The file is damaged, or not what its name says. Choose another one.',
  media_not_found: 'The file is no longer there. Choose it again.',
  channel_rate_limited: 'WhatsApp takes no more messages from this number for now. Wait a little, then send it again.',
  rate_limit_exceeded: 'The account has used up what its plan allows for now. Try again later, or ask an owner.',
  upstream_unavailable: 'WhatsApp cannot be reached, and nothing was sent. Try again in a few minutes.',
  service_unavailable: 'The gateway cannot take the message right now. Try again in a minute.',
  send_outcome_unknown:
    'It is not known yet whether the message was sent. Do not send it again; what became of it appears here.',
  channel_rejected: 'WhatsApp refused this message.',
  channel_not_connected: tellOwner,
  channel_auth_failed: tellOwner,
  channel_permission_missing: tellOwner,
  channel_number_not_registered: tellOwner,
  channel_number_not_verified: tellOwner,
  channel_account_restricted: tellOwner,
  channel_payment_missing: tellOwner,
  channel_display_name_needed: tellOwner,
  business_not_verified: tellOwner,
}

export function plainSentence(code: string): string | null {
  return sentences[code] ?? null
}
