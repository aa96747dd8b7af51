/** Fields of the webhook object `whatsapp_business_account` that the sandbox can report. */
export const WEBHOOK_FIELDS = [
  'messages',
  'message_template_status_update',
  'message_template_quality_update',
  'message_template_components_update',
  'template_category_update',
  'phone_number_quality_update',
  'phone_number_name_update',
  'account_update',
  'account_review_update',
  'account_alerts',
  'business_capability_update',
  'security',
  'user_preferences',
  'template_correct_category_detection',
  'business_username_updates',
  'account_settings_update',
  'standby',
]

/** Only these follow an override; everything else always goes to the app's own address. */
export const OVERRIDABLE_FIELDS = [
  'messages',
  'message_echoes',
  'calls',
  'consumer_profile',
  'messaging_handovers',
  'group_lifecycle_update',
  'group_participants_update',
  'group_settings_update',
  'group_status_update',
  'smb_message_echoes',
  'smb_app_state_sync',
  'history',
  'account_settings_update',
]
