type Entry = {
  action: string
  actor: { name: string }
  targets: readonly { type: string; name: string }[]
  metadata: Record<string, unknown>
}

/** `{target}` and `{from}`, `{to}`, `{role}` are filled in; the actor stands in front. */
const sentences: Record<string, string> = {
  'account.created': 'created the account {target}',
  'account.renamed': 'renamed the account to {target}',
  'account.plan_changed': 'changed the plan from {from} to {to}',
  'account.two_factor_required': 'required two-factor sign-in for all members',
  'account.two_factor_optional': 'made two-factor sign-in optional',
  'account.suspended': 'suspended the account',
  'account.resumed': 'resumed the account',
  'api_key.created': 'created API key {target}',
  'api_key.rotated': 'rotated the secret of API key {target}',
  'api_key.revoked': 'revoked API key {target}',
  'api_key.access_changed': 'changed the access of API key {target}',
  'auth.token_reuse_detected': 'used an access token of {target} that had already been replaced',
  'console.refused': 'tried {route}, which the role {role} does not allow',
  'member.invited': 'invited {target} as {role}',
  'member.joined': 'joined',
  'member.link_renewed': 'created a new link for {target}',
  'member.password_changed': 'changed the password',
  'member.password_reset': 'set a new password through a link',
  'member.removed': 'removed {target}',
  'member.renamed': 'changed a name',
  'member.role_changed': 'changed the role of {target} from {from} to {to}',
  'owner.set_up': 'became owner through the setup link',
  'session.confirmation_failed': 'entered a wrong password when asked to confirm it',
  'session.others_revoked': 'signed out everywhere else',
  'session.revoked': 'signed out another session',
  'session.sign_in_failed': 'failed to sign in',
  'session.signed_in': 'signed in',
  'session.signed_out': 'signed out',
  'two_factor.switched_on': 'turned on two-factor sign-in',
  'two_factor.switched_off': 'turned off two-factor sign-in',
  'two_factor.reset': 'reset the two-factor sign-in of {target}',
  'two_factor.code_refused': 'entered a wrong two-factor code',
  'two_factor.recovery_code_used': 'used a recovery code',
  'two_factor.recovery_codes_renewed': 'created new recovery codes',
  'channel.connected': 'connected {target}',
  'channel.disconnected': 'disconnected {target}',
  'customer.opted_out': 'stopped marketing messages to {target}',
  'customer.opted_in': 'allowed marketing messages to {target} again',
  'customer.blocked': 'blocked {target}',
  'customer.unblocked': 'unblocked {target}',
  'customer.erased': 'erased the data of {target}',
  'message.sent_by_hand': 'sent a {target} message from the console',
  'number.default_set': 'made {target} the default number',
  'profile.updated': 'changed the business profile of {target}',
  'template.created': 'created the template {target}',
  'template.edited': 'edited the template {target}',
  'template.deleted': 'deleted the template {target}',
  'template.submitted': 'submitted the template {target} for review',
  'webhook.created': 'added the webhook {target}',
  'webhook.updated': 'changed the webhook {target}',
  'webhook.deleted': 'deleted the webhook {target}',
  'webhook.secret_rotated': 'rotated the secret of the webhook {target}',
  'audit.exported': 'exported the audit log',
  'messages.exported': 'exported the message log',
  'requests.exported': 'exported the API request log',
  'webhook.replayed': 'replayed {queued} deliveries of the webhook {target}',
}

/** What the log can be narrowed to: all that happened to one kind of thing. */
export const auditNouns = [...new Set(Object.keys(sentences).map((action) => action.replace(/\..*/, '')))].sort()

export function auditSentence({ action, actor, targets, metadata }: Entry): string {
  const words: Record<string, unknown> = { ...metadata, target: targets[0]?.name ?? 'something' }
  const pattern = sentences[action] ?? `${action} {target}`
  return `${actor.name} ${pattern.replace(/\{(\w+)\}/g, (_, name: string) => String(words[name] ?? '?'))}`
}
