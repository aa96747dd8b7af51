import { verifyAudit } from '@postern/server/audit/audit.ts'
import { anyAccountOption, chooseAccounts } from '../choose-account.ts'
import { dataCommand } from '../data-command.ts'
import { exitCodes } from '../exit-codes.ts'
import { table } from '../output/table.ts'
import { noWords, textFlag } from '../read-flags.ts'

export const auditVerify = dataCommand({
  name: 'audit verify',
  summary: 'Verify that no entry of the audit log was changed, removed or added. Exits with 1 otherwise.',
  examples: ['postern audit verify', 'postern audit verify --account "Acme Store" --json'],
  options: anyAccountOption,
  args(flags, words) {
    noWords(words)
    return { account: textFlag(flags, 'account') }
  },
  async run(rt, { account }) {
    const verdicts = []
    for (const { id, name } of await chooseAccounts(rt, account)) {
      const { ok, entries, brokenAt } = await verifyAudit(rt, id)
      verdicts.push({ account_id: id, name, ok, entries, broken_at: brokenAt })
    }
    return { ok: verdicts.every(({ ok }) => ok), accounts: verdicts }
  },
  text: ({ accounts }) =>
    table(
      ['account', 'name', 'lines', 'verdict'],
      accounts.map(({ account_id, name, entries, broken_at }) => [
        account_id,
        name,
        String(entries),
        broken_at === null ? 'sound' : `broken at line ${broken_at}`,
      ]),
    ),
  exitCode: ({ ok }) => (ok ? exitCodes.ok : exitCodes.failure),
})
