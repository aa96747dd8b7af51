import { operation, query } from '../engine/operation.ts'

/** While a copy into this database is not finished: which installation it is of. See store/copy-data.ts. */
export const openCopyFact = 'copy_open'

/** Facts about this installation, each written once: a second write keeps the first. */
export const insertFact = operation({
  name: 'installation.insert',
  input: { name: 'text', value: 'text' },
  key: ['name'],
  returns: { name: 'text' },
  sql: `insert into installation (name, value) select name, value from rows where true on conflict (name) do nothing
        returning name`,
})

/** The same, and the whole unit depends on being first. */
export const claimFact = operation({
  name: 'installation.claim',
  input: { name: 'text', value: 'text' },
  key: ['name'],
  returns: { name: 'text' },
  required: true,
  sql: `insert into installation (name, value) select name, value from rows where true on conflict (name) do nothing
        returning name`,
})

/** For the few facts that change: the last write wins. */
export const replaceFact = operation({
  name: 'installation.replace',
  input: { name: 'text', value: 'text' },
  key: ['name'],
  sql: `insert into installation (name, value) select name, value from rows where true
        on conflict (name) do update set value = excluded.value`,
})

export const readFact = query({
  name: 'installation.read',
  params: { name: 'text' },
  returns: { value: 'text' },
  sql: 'select value from installation where name = :name',
})
