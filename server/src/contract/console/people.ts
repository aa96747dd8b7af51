import Type from 'typebox'
import { planNames } from '../plans.ts'
import { boolean, instant, model, namedObject, nullable, object, oneOf, part, ref, text, withHint } from '../schema.ts'
import { actions, roles } from './roles.ts'

/** Paste and password managers welcome; length is the only rule that keeps guessers out. */
const passwordLengthMin = 10

const NewPassword = Type.String({
  minLength: passwordLengthMin,
  maxLength: 200,
  'x-secret': true,
  ...withHint('too_short', `Use ${passwordLengthMin} to 200 characters.`),
})
/** Six digits of an app, or a recovery code, as people type them. */
const TwoFactorCode = Type.String({
  minLength: 6,
  maxLength: 40,
  'x-secret': true,
  ...withHint('invalid_format', 'Enter the six digits of your authenticator app, or a recovery code.'),
})
const GivenPassword = Type.String({ minLength: 1, maxLength: 200, 'x-secret': true })

const Email = Type.String({
  maxLength: 254,
  pattern: '^[^@\\s]{1,64}@[^@\\s]{1,189}$',
  ...withHint('invalid_format', 'Write an email address, for example ana@acme.example.'),
})
/** Of a person, an account or an API key. */
export const Name = Type.String({
  minLength: 1,
  maxLength: 80,
  pattern: '\\S',
  ...withHint('required', 'Write a name of 1 to 80 characters.'),
})

export const SignInRequest = namedObject('ConsoleSignInRequest', {
  email: Type.String({ minLength: 1, maxLength: 254 }),
  password: GivenPassword,
  code: Type.Optional(TwoFactorCode),
})
export const ConfirmRequest = namedObject('ConsoleConfirmRequest', { password: GivenPassword })

export const SignInWays = namedObject('ConsoleSignInWays', {
  password: boolean('Passwords sign people in.'),
  provider: nullable(text('Host of the OpenID Connect provider.')),
  mail: boolean('A link to a new password can be mailed.'),
  set_up: boolean('A person has taken over an account and can sign in.'),
})
const SetupToken = Type.String({ maxLength: 100, 'x-secret': true })
const ReturnTo = text('A path of the console to come back to.', { maxLength: 500 })
export const OidcStart = namedObject('ConsoleOidcStart', {
  token: Type.Optional(SetupToken),
  return_to: Type.Optional(ReturnTo),
})
export const LinkStart = namedObject('ConsoleOidcLink', { return_to: ReturnTo })
export const OidcAddress = namedObject('ConsoleOidcAddress', { url: text('Send the browser there.') })
export const OidcCode = namedObject('ConsoleOidcCode', { code: TwoFactorCode })
export const SetupEntry = namedObject('ConsoleSetupEntry', { token: SetupToken, code: Type.Optional(TwoFactorCode) })

export const SetupLink = namedObject('ConsoleSetupLink', {
  purpose: oneOf(['owner', 'invite', 'reset', 'enter']),
  account_name: Type.String(),
  name: nullable(text('Null until a person has taken over the record.')),
  email: nullable(text('Null: the person chooses it.')),
  role: oneOf(roles),
  two_factor: boolean('Setting a new password needs a code too.'),
  expires_at: instant(),
})
export const SetupLookup = namedObject('ConsoleSetupLookup', {
  token: Type.String({ maxLength: 100, 'x-secret': true }),
})
export const SetupRequest = namedObject('ConsoleSetupRequest', {
  token: Type.String({ maxLength: 100, 'x-secret': true }),
  name: Name,
  email: Email,
  password: NewPassword,
  code: Type.Optional(TwoFactorCode),
})

const Window = object({ quota: Type.Integer(), used: Type.Integer(), resets_at: instant() })
export const Limits = model('ConsoleLimits', 'Null on a plan without limits.', {
  hour: nullable(Window),
  day: nullable(Window),
})

export const Session = namedObject('ConsoleSession', {
  id: Type.String(),
  user: object({
    id: Type.String(),
    name: Type.String(),
    email: nullable(Type.String()),
    role: oneOf(roles),
    two_factor: oneOf(['on', 'off', 'setup_required'], {
      description:
        '`setup_required`: the account requires it, and all other routes reject requests until it is set up.',
    }),
    password: boolean('The person can sign in with a password.'),
    provider: nullable(text('Host of the provider that the person signs in with.')),
  }),
  account: object({
    id: Type.String(),
    name: Type.String(),
    plan: oneOf(planNames),
    status: Type.String(),
    delete_at: nullable(instant({ description: 'The account and all it holds will be deleted then.' })),
    sandbox: boolean('Messages that name no number go to the sandbox.'),
    two_factor_required: boolean('Members without two-factor sign-in must set it up.'),
  }),
  accounts: Type.Array(object({ id: Type.String(), name: Type.String(), role: oneOf(roles), status: Type.String() }), {
    description: 'The accounts of the person, to switch to.',
  }),
  operator: boolean('The person operates the installation.'),
  actions: Type.Array(oneOf(actions), { description: 'What the role may do.' }),
  owners: Type.Array(Type.String(), { description: 'Names of the people to ask for more.' }),
  ends_at: instant({ description: 'Signed out then, unless something happens before.' }),
  extendable: boolean('False in the last hours of the 7 days: nothing puts the end off.'),
  provider: nullable(text('Host of the provider that people can sign in with.')),
  base_url: text('Where clients reach the API; for code samples.'),
  version: Type.String(),
})

export const AccountSwitch = namedObject('ConsoleAccountSwitch', { account_id: Type.String({ maxLength: 64 }) })

export const OwnProfile = namedObject('ConsoleOwnProfile', { name: Name })
export const PasswordChange = namedObject('ConsolePasswordChange', {
  current_password: GivenPassword,
  new_password: NewPassword,
})

export const SessionList = namedObject('ConsoleSessionList', {
  sessions: Type.Array(
    object({
      id: Type.String(),
      user_id: Type.String(),
      user_name: Type.String(),
      account_name: Type.String(),
      current: Type.Boolean(),
      ip: nullable(Type.String()),
      user_agent: nullable(Type.String()),
      created_at: instant(),
      last_seen_at: instant(),
    }),
  ),
})

export const Member = namedObject('ConsoleMember', {
  id: Type.String(),
  name: Type.String(),
  email: nullable(Type.String()),
  role: oneOf(roles),
  status: oneOf(['active', 'invited']),
  two_factor: Type.Boolean(),
  mail: nullable(
    part('The mail with their invitation.', {
      status: oneOf(['waiting', 'sent', 'failed']),
      error: nullable(text('What the mail server said.')),
    }),
  ),
  created_at: instant(),
})
export const MemberList = namedObject('ConsoleMemberList', { members: Type.Array(ref(Member)) })
export const Invitation = namedObject('ConsoleInvitation', { name: Name, email: Email, role: oneOf(roles) })
export const Invited = namedObject('ConsoleInvited', {
  member: ref(Member),
  link: text('Works once, for 7 days; shown only now.'),
  mailed: boolean('It is on its way to their address too.'),
  expires_at: instant(),
})
export const RoleChange = namedObject('ConsoleRoleChange', { role: oneOf(roles) })

export const TwoFactorState = namedObject('ConsoleTwoFactorState', {
  since: nullable(instant({ description: 'Null while it is off.' })),
  recovery_codes_left: Type.Integer(),
})
export const TwoFactorSetup = namedObject('ConsoleTwoFactorSetup', {
  secret: text('Base32, for typing.'),
  uri: text('The same for a QR code: `otpauth://totp/…`.'),
})
export const TwoFactorConfirmation = namedObject('ConsoleTwoFactorConfirmation', { code: TwoFactorCode })
export const BothFactors = namedObject('ConsoleBothFactors', { password: GivenPassword, code: TwoFactorCode })
export const RecoveryCodes = namedObject('ConsoleRecoveryCodes', {
  recovery_codes: Type.Array(Type.String(), { description: 'Each works once; shown only now.' }),
})
export const TwoFactorRule = namedObject('ConsoleTwoFactorRule', { required: Type.Boolean() })

/** The response of an action without a result. */
export const Done = namedObject('ConsoleDone', { done: Type.Literal(true) })

/** The alerts that people can choose. */
export const alertKinds = ['quality', 'template', 'webhook', 'token', 'budget'] as const
export type AlertKind = (typeof alertKinds)[number]

const kinds = Type.Array(oneOf(alertKinds), { maxItems: alertKinds.length, uniqueItems: true })
const url = nullable(text('Gets a POST with JSON for each alert; `text` is the sentence.', { maxLength: 2_000 }))

export const AlertChoice = namedObject('ConsoleAlertChoice', { kinds, mail: Type.Boolean(), url })
export const Alerts = namedObject('ConsoleAlerts', {
  kinds,
  mail: Type.Boolean(),
  url,
  possible: Type.Array(oneOf(alertKinds), { description: 'What the role may see.' }),
  mail_available: boolean('The installation sends mail.'),
  failure: nullable(object({ error: Type.String(), at: nullable(instant()) })),
})

export const ForgotRequest = namedObject('ConsoleForgotRequest', {
  email: Type.String({ minLength: 1, maxLength: 254 }),
})
