import { operation, query } from '../engine/operation.ts'

/** A secret that counts for nothing until a code has proved that the person's app has it. */
export const beginTwoFactor = operation({
  name: 'two_factor.begin',
  input: { id: 'text', secret: 'text' },
  key: ['id'],
  returns: { id: 'text' },
  required: true,
  sql: `update people set two_factor_secret = rows.secret from rows
        where people.id = rows.id and people.two_factor_since is null
        returning people.id`,
})

/** Only for the secret the code was made with: another page may have begun anew meanwhile. */
export const switchOnTwoFactor = operation({
  name: 'two_factor.switch_on',
  input: { id: 'text', secret: 'text', step: 'int', now: 'int' },
  key: ['id'],
  returns: { id: 'text' },
  required: true,
  sql: `update people set two_factor_since = rows.now, two_factor_step = rows.step, updated_at = rows.now from rows
        where people.id = rows.id and people.two_factor_since is null
          and people.two_factor_secret = rows.secret
        returning people.id`,
})

export const switchOffTwoFactor = operation({
  name: 'two_factor.switch_off',
  input: { id: 'text', now: 'int' },
  key: ['id'],
  returns: { id: 'text' },
  required: true,
  sql: `update people set two_factor_secret = null, two_factor_since = null, two_factor_step = null,
          updated_at = rows.now
        from rows where people.id = rows.id
          and people.two_factor_since is not null
        returning people.id`,
})

/** A code works once: its step must be later than that of every code before it. */
export const spendTwoFactorStep = operation({
  name: 'two_factor.spend_step',
  input: { id: 'text', step: 'int' },
  key: ['id'],
  returns: { id: 'text' },
  required: true,
  sql: `update people set two_factor_step = rows.step from rows
        where people.id = rows.id and people.two_factor_since is not null and people.two_factor_step < rows.step
        returning people.id`,
})

export const insertRecoveryCode = operation({
  name: 'recovery_codes.insert',
  input: { person_id: 'text', code_mac: 'text' },
  key: ['person_id', 'code_mac'],
  sql: 'insert into recovery_codes (person_id, code_mac) select person_id, code_mac from rows',
})

/**
 * The person still has no second factor. It writes, though nothing new: the lock makes turning it on wait, which then ends the
 * session that this unit begins.
 */
export const requireNoTwoFactor = operation({
  name: 'people.require_no_two_factor',
  input: { id: 'text' },
  key: ['id'],
  returns: { id: 'text' },
  required: true,
  sql: `update people set updated_at = people.updated_at from rows
        where people.id = rows.id and people.two_factor_since is null returning people.id`,
})

export const spendRecoveryCode = operation({
  name: 'recovery_codes.spend',
  input: { person_id: 'text', code_mac: 'text', now: 'int' },
  key: ['person_id', 'code_mac'],
  returns: { person_id: 'text', code_mac: 'text' },
  required: true,
  sql: `update recovery_codes set used_at = rows.now from rows
        where recovery_codes.person_id = rows.person_id and recovery_codes.code_mac = rows.code_mac
          and recovery_codes.used_at is null
        returning recovery_codes.person_id, recovery_codes.code_mac`,
})

export const deleteRecoveryCodes = operation({
  name: 'recovery_codes.delete',
  input: { person_id: 'text' },
  key: ['person_id'],
  sql: 'delete from recovery_codes where person_id in (select person_id from rows)',
})

/** Codes of a person who has no second factor any more. */
export const deleteRecoveryCodesIfOff = operation({
  name: 'recovery_codes.delete_if_off',
  input: { person_id: 'text' },
  key: ['person_id'],
  sql: `delete from recovery_codes where person_id in (select person_id from rows)
          and not exists (select 1 from people where people.id = recovery_codes.person_id
            and people.two_factor_since is not null)`,
})

export const countRecoveryCodes = query({
  name: 'recovery_codes.count',
  params: { person_id: 'text' },
  returns: { unused: 'int' },
  sql: 'select count(*) as unused from recovery_codes where person_id = :person_id and used_at is null',
})

/** Of sessions that begin from now on; null: no longer. */
export const requireTwoFactorOfAll = operation({
  name: 'accounts.require_two_factor',
  input: { id: 'text', required_at: 'int?' },
  key: ['id'],
  sql: 'update accounts set two_factor_required_at = rows.required_at from rows where accounts.id = rows.id',
})
