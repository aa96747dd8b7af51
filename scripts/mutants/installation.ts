import { type Mutant, mutantsOf } from './mutant.ts'

const open = 'server/src/connect/open-signup.ts'
const finish = 'server/src/connect/finish-signup.ts'
const signup = 'test/channels/signup.test.ts'
const deletion = 'test/console/account-deletion.test.ts'
const installation = 'test/console/console-installation.test.ts'

/** Numbers that come by Meta's own page, and the pages of operators. */
export const installationMutants: readonly Mutant[] = [
  ...mutantsOf('signup', [
    ['sg1', open, '|| row.browser_hash !== hashOf(rt, browser)', '', signup],
    ['sg2', open, 'row.created_at + opensMs < rt.clock.now()', 'row.created_at < 0', signup],
    ['sg3', open, "given.error === 'access_denied' ? 'canceled' : 'refused'", "'refused'", signup],
    ['sg4', finish, 'choices.find(({ phoneNumberId }) => phoneNumberId === wanted)', 'choices[0]', signup],
    [
      'sg5',
      'server/src/connect/sync-business-app.ts',
      "if (error.outcome === 'unknown') return 'unknown'",
      "if (error.outcome === 'unknown') return 'due'",
      signup,
    ],
  ]),
  ...mutantsOf('installation', [
    [
      'is1',
      'server/src/http/console/console-access.ts',
      'member.operator) return requireSecondFactor(member)',
      'member.operator) return',
      installation,
    ],
    [
      'is2',
      'server/src/people/operators.ts',
      'unit.add(removeOperator, { id: user.person_id })',
      'unit.calls',
      installation,
    ],
    ['is3', 'server/src/installation/tenants.ts', 'if (!changed) throw noSuchAccount()', '', installation],
    [
      'is4',
      'server/src/installation/troubles.ts',
      'if (share < diskFullShare) return []',
      'if (share <= diskFullShare) return []',
      installation,
    ],
    ['is6', 'server/src/installation/delete-account.ts', 'unit.add(deleteIfAlone, { id: person_id })', '', deletion],
    [
      'is7',
      'server/src/store/account-rows.ts',
      "{ table: 'contacts', where: of('number_id', 'numbers') },",
      '',
      deletion,
    ],
    [
      'is8',
      'server/src/installation/delete-account.ts',
      'if (steps.left > 0) found += await bytesLeft(rt, accountId)',
      '',
      deletion,
    ],
    [
      'is10',
      'server/src/people/provider/oidc-sign-in.ts',
      'void unit.add(requireNoTwoFactor, { id })',
      'void unit',
      'test/people/oidc.test.ts',
    ],
    [
      'is11',
      'server/src/installation/nodes.ts',
      'disk_free_bytes: bavail * bsize',
      'disk_free_bytes: blocks * bsize',
      'test/cluster/installation-faults.test.ts',
    ],
    ['is9', 'server/src/installation/account.ts', ' || account.deleting_at !== null', '', deletion],
    [
      'is5',
      'server/src/config/config.ts',
      "secret ? 'set' : kind.show(value)\n    return",
      'kind.show(value)\n    return',
      'server/src/config/config.test.ts',
    ],
  ]),
]
