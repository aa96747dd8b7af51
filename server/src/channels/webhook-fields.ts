/** What the gateway understands of the webhook object `whatsapp_business_account`. */
export const overridableFields = ['messages', 'calls'] as const

/** These never follow an override: Meta reports them to the address of the app alone. */
export const appOnlyFields = [
  'message_template_status_update',
  'message_template_quality_update',
  'message_template_components_update',
  'template_category_update',
  'account_update',
  'account_review_update',
  'account_alerts',
  'phone_number_quality_update',
  'phone_number_name_update',
  'business_capability_update',
  'security',
  'user_preferences',
] as const

export const webhookFields: readonly string[] = [...overridableFields, ...appOnlyFields]
