import { type Mutant, mutantsOf } from './mutant.ts'

const walk = 'test/access/privacy-walk.test.ts'
const twoFactor = 'test/console/console-two-factor.test.ts'
const withTwoFactor = 'server/src/people/with-two-factor.ts'
const switchTwoFactor = 'server/src/people/switch-two-factor.ts'
const accounts = 'test/console/console-accounts.test.ts'
const setupOwner = 'server/src/people/setup-owner.ts'
const signInLimit = 'server/src/limits/sign-in.ts'
const signInLimitTest = 'server/src/limits/sign-in.test.ts'
const consoleKeys = 'server/src/access/keys/console-keys.ts'
const requireMedia = 'server/src/media/open-content.ts'
const maskedEvent = 'server/src/events/masked-event.ts'
const eraseByMessage = 'server/src/messages/erase/erase-by-message.ts'
const erasure = 'test/messages/message-erasure.test.ts'
const erasedIds = 'test/messages/erased-ids.test.ts'
const chain = 'server/src/audit/audit-chain.ts'
const audit = 'server/src/audit/audit.ts'
const auditTest = 'server/src/audit/audit.test.ts'

/** Who may see and do what: sign-in, roles, customers' privacy, erasure, the audit log. */
const remains = 'server/src/store/sqlite/sqlite-remains.ts'
const remainsTest = 'server/src/store/sqlite/sqlite-remains.test.ts'

const oidcSignIn = 'server/src/people/provider/oidc-sign-in.ts'
const oidcTest = 'test/people/oidc.test.ts'
const mailTest = 'test/people/mail.test.ts'

export const peopleMutants: readonly Mutant[] = [
  ...mutantsOf('sign-in', [
    [
      'si1',
      'server/src/people/setup-owner.ts',
      'const email = user.email ?? normaliseEmail(input.email)',
      'const email = normaliseEmail(input.email)',
      twoFactor,
    ],
    ['si2', withTwoFactor, '  if (isStranger) await limit.attempt(user.person_id, anywhere)\n', '', twoFactor],
    ['si3', switchTwoFactor, '      proof.addTo(unit)\n      change(unit)', '      change(unit)', twoFactor],
    [
      'si4',
      switchTwoFactor,
      '    unit.add(deleteSessionsOfPerson, { person_id: id, keep_id: member.sessionId })\n',
      '',
      twoFactor,
    ],
    [
      'si5',
      signInLimit,
      'if (keys.address !== null) unit.add(countAddressGuess, { slot_key: keys.address, now })\n    try',
      'try',
      signInLimitTest,
    ],
    [
      'si6',
      signInLimit,
      'unit.add(countPersonGuess, { slot_key: keys.person, now })',
      'unit.add(countPersonGuess, { slot_key: `${keys.person}${rt.clock.now()}`, now })',
      signInLimitTest,
    ],
  ]),
  ...mutantsOf('accounts', [
    [
      'ac1',
      setupOwner,
      'const signsIn = person.password_hash !== null || person.joined > 0',
      'const signsIn = false',
      accounts,
    ],
    ['ac2', 'server/src/store/accounts/people.ts', ' and people.joined = 0 and people.operator is null', '', accounts],
    [
      'ac3',
      setupOwner,
      "two_factor: (purpose === 'reset' || purpose === 'enter') && user",
      'two_factor: user',
      accounts,
    ],
    [
      'ac4',
      'server/src/http/console/console-access.ts',
      "    requireShownAccount(member, request.headers['x-postern-account'])\n",
      '',
      accounts,
    ],
    [
      'ac5',
      'server/src/people/change-member.ts',
      '  unit.add(deleteAlertChoice, { user_id: id })\n',
      '',
      'test/people/removed-member.test.ts',
    ],
  ]),
  ...mutantsOf('privacy', [
    ['pv9', 'server/src/http/graph/call-table.ts', 'parameters: page, personal: true', 'parameters: page', walk],
    ['pv1', maskedEvent, 'address: (value) => maskPhone(String(value)),', 'address: (value) => value,', walk],
    [
      'pv2',
      maskedEvent,
      'sent_message: (value) => (delivered ? value : ownId)',
      'sent_message: (value) => value',
      walk,
    ],
    [
      'pv3',
      consoleKeys,
      'requireMayGrant(member, change.allowed_ips === row.allowed_ips ? added : input.scopes)',
      'requireMayGrant(member, added)',
      'test/console/console-pages-api.test.ts',
    ],
    [
      'pv4',
      consoleKeys,
      '  requireMayGrant(member, JSON.parse(row.scopes) as Scope[])\n',
      '',
      'test/console/console-pages-api.test.ts',
    ],
    [
      'pv5',
      'server/src/webhooks/update-webhook.ts',
      'return widened || after.url !== before.url ? 1',
      'return widened ? 1',
      'test/webhooks/webhooks-api.test.ts',
    ],
    ['pv6', 'server/src/webhooks/replay/get-delivery.ts', 'if (reader.seesPeople) return', 'if (reader) return', walk],
    [
      'pv7',
      requireMedia,
      "  if (row.direction === 'inbound' && !seesPeople(caller)) throw missingScope('messages:read')\n",
      '',
      'test/media/media-channel.test.ts',
    ],
    [
      'pv8',
      'server/src/contract/console/roles.ts',
      "    'profile:read',\n    'sandbox:use',",
      "    'profile:read',\n    'pii:read',\n    'sandbox:use',",
      walk,
    ],
    [
      'pv10',
      'server/src/http/edge/request-log.ts',
      'maskCredentials(redactQuery(request.url))',
      'maskCredentials(request.url)',
      'server/src/http/edge/request-log.test.ts',
    ],
    [
      'pv11',
      'server/src/http/edge/request-log.ts',
      '/^https?:\\/\\/\\S+$/i.test(entry)',
      "name === 'url'",
      'server/src/http/edge/request-log.test.ts',
    ],
  ]),
  ...mutantsOf('erasure', [
    ['re1', remains, "      db.exec('pragma user_version = 1')\n", '', remainsTest],
    ['re4', remains, 'pages: hasMap || pages < pagesMax ? pages : 0', 'pages', remainsTest],
    ['re5', remains, '(page - mapPage - 1) * mapEntryBytes', '(page - mapPage) * mapEntryBytes', remainsTest],
    ['re2', remains, 'writeSync(file, zeros, 0, length,', 'writeSync(file, zeros, 0, 0,', remainsTest],
    [
      're3',
      remains,
      'return [listEnd, cellsStart - listEnd]',
      'return [listEnd, cellsStart - listEnd + 1]',
      remainsTest,
    ],
    ['er1', eraseByMessage, '  if (attempts.length > 0) unit.add(eraseAttempt, ...attempts)\n', '', erasure],
    [
      'er3',
      'server/src/events/masked-event.ts',
      'erased message\\n${accountId}\\n${id}',
      'erased message\\n${id}',
      erasedIds,
    ],
    [
      'er4',
      'server/src/messages/apply-statuses.ts',
      "const told = outcome === 'erased' ? await",
      "const told = outcome !== 'erased' ? await",
      erasedIds,
    ],
    [
      'er5',
      'server/src/messages/erase/find-person.ts',
      'second_in_group: `%${inBase64(written, 1)}%`',
      'second_in_group: `%${inBase64(written, 0)}%`',
      erasure,
    ],
    [
      'er6',
      eraseByMessage,
      'const isUpload = ({ message_id }: KeyRow) => message_id !== null &&',
      'const isUpload = ({ message_id }: KeyRow) => message_id === null &&',
      erasure,
    ],
  ]),
  ...mutantsOf('audit', [
    ['au1', chain, "createHmac('sha256', pepper)", "createHmac('sha256', accountId)", auditTest],
    [
      'au2',
      chain,
      'return isNext && row.hash === hash(before, row.entry) && isIndexed(row)',
      'return isNext && row.hash === hash(before, row.entry)',
      auditTest,
    ],
    ['au3', audit, 'return metHead ? { ok: true', 'return start ? { ok: true', auditTest],
    ['au4', audit, '    if (!chain.follows(last, row)) {', '    if (!row) {', auditTest],
    ['au5', audit, '  if (head) return head\n', '', auditTest],
    ['au6', audit, 'const begins = row.seq > 1 || row.action === firstAction', 'const begins = row.seq > 0', auditTest],
  ]),
  ...mutantsOf('sign-in provider', [
    [
      'oi1',
      oidcSignIn,
      'if (!isAllowed || email?.toLowerCase() !== user.email) throw',
      'if (!isAllowed) throw',
      oidcTest,
    ],
    ['oi2', oidcSignIn, "user.operator !== null || accounts.some(({ role }) => role === 'owner')", 'false', oidcTest],
    [
      'oi3',
      'server/src/lib/oidc.ts',
      'email: isVerified ? (email as string) : null',
      'email: email as string',
      oidcTest,
    ],
    ['oi4', 'server/src/lib/oidc.ts', 'execute: [client.enableNonRepudiationChecks, ', 'execute: [', oidcTest],
    [
      'oi5',
      'server/src/store/accounts/identities.ts',
      'where state_hash = :state_hash and browser_hash = :browser_hash and expires_at > :now',
      'where state_hash = :state_hash and :browser_hash is not null and expires_at > :now',
      oidcTest,
    ],
    ['oi6', 'server/src/lib/oidc.ts', '          expectedNonce: nonce,\n', '', oidcTest],
  ]),
  ...mutantsOf('mail and alerts', [
    ['ma1', 'server/src/lib/mailer.ts', 'if (!oneAddress.test(to)) throw', 'if (to === null) throw', mailTest],
    [
      'ma2',
      'server/src/people/mail.ts',
      "    await settle(rt, id, isFinal ? 'failed' : 'waiting', reason)\n",
      '',
      mailTest,
    ],
    ['ma3', 'server/src/people/mail.ts', ".replaceAll(address, 'the address')", '', mailTest],
    ['al1', 'server/src/people/alerts.ts', ' || !mayDo(one.role as Role, needs[alert.kind])', '', mailTest],
  ]),
  ...mutantsOf('inbox', [
    [
      'sv1',
      'server/src/store/messages/replies.ts',
      'c.waiting_since, rows.at, rows.user_id',
      'c.last_inbound_at, rows.at, rows.user_id',
      'test/messages/service-times.test.ts',
    ],
    [
      'sv2',
      'server/src/messages/conversations/service-times.ts',
      '    unit.add(deleteReplies, fold)\n',
      '',
      'test/messages/service-times.test.ts',
    ],
    [
      'pn9',
      'server/src/store/postgres/postgres.ts',
      '      signals.tell(note)\n',
      '',
      'test/console/console-two-agents.test.ts',
    ],
  ]),
]
