import { operation, query, type RowOf } from '../engine/operation.ts'

const identityColumns = {
  address: 'text',
  shown: 'text',
  customer_id: 'text',
  channel_id: 'text?',
  linked_at: 'int',
  replaced_at: 'int?',
  revision: 'int',
  created_at: 'int',
} as const
/** An address, with the customer who has it. */
export type IdentityRow = RowOf<typeof identityColumns>

const identity = `select a.address, a.shown, a.customer_id, a.channel_id, a.linked_at, a.replaced_at, c.revision, c.created_at
        from customer_addresses a join customers c on c.id = a.customer_id`

/** Every address of the customers who have any of these. */
export const findIdentities = query({
  name: 'customers.identities',
  params: { account_id: 'text', addresses: 'text[]' },
  returns: identityColumns,
  sql: `with theirs as (select o.customer_id from customer_addresses o
          where o.account_id = :account_id and o.address in {list:addresses})
        ${identity} where a.customer_id {in:theirs}`,
})

/** The addresses of customers. */
export const findAddressesOf = query({
  name: 'customers.addresses_of',
  params: { account_id: 'text', customer_ids: 'text[]' },
  returns: identityColumns,
  sql: `${identity} where a.customer_id in {list:customer_ids} and c.account_id = :account_id`,
})

export const customerColumns = {
  id: 'text',
  name: 'text?',
  active_at: 'int',
  created_at: 'int',
  merged_into: 'text?',
} as const
export type CustomerRow = RowOf<typeof customerColumns>
const columns = Object.keys(customerColumns).join(', ')

export const findCustomer = query({
  name: 'customers.find',
  params: { account_id: 'text', id: 'text' },
  returns: customerColumns,
  sql: `select ${columns} from customers where account_id = :account_id and id = coalesce(
          (select o.merged_into from customers o where o.id = :id and o.account_id = :account_id), :id)`,
})

/** This customer, and who was found to be this one. */
export const findFormerIds = query({
  name: 'customers.former_ids',
  params: { account_id: 'text', id: 'text' },
  returns: { id: 'text' },
  sql: 'select id from customers where account_id = :account_id and merged_into = :id',
})

/** Customers merged recently. */
export const findMerged = query({
  name: 'customers.merged',
  params: { since: 'int' },
  returns: { id: 'text', account_id: 'text', merged_into: 'text' },
  lane: 'list',
  sql: `select id, account_id, merged_into from customers where merged_at >= :since`,
})

export const listCustomerRows = query({
  name: 'customers.list',
  params: { account_id: 'text', before_at: 'int', before_id: 'text', count: 'int' },
  returns: customerColumns,
  lane: 'list',
  sql: `select ${columns} from customers
        where account_id = :account_id and merged_into is null and (active_at, id) < (:before_at, :before_id)
        order by active_at desc, id desc limit :count`,
})

/** Names of the customers with these addresses. */
export const findNames = query({
  name: 'customers.names',
  params: { account_id: 'text', addresses: 'text[]' },
  returns: { address: 'text', customer_id: 'text', name: 'text?' },
  sql: `select a.address, a.customer_id, c.name from customer_addresses a join customers c on c.id = a.customer_id
        where a.account_id = :account_id and a.address in {list:addresses}`,
})

export const insertCustomer = operation({
  name: 'customers.insert',
  input: { id: 'text', account_id: 'text', active_at: 'int', created_at: 'int' },
  key: ['id'],
  sql: `insert into customers (id, account_id, active_at, created_at, revision)
        select id, account_id, active_at, created_at, 1 from rows`,
})

/** The addresses of a customer change: nobody else may have changed them since they were read. */
export const takeCustomer = operation({
  name: 'customers.take',
  input: { id: 'text', revision: 'int' },
  key: ['id'],
  returns: { id: 'text' },
  required: true,
  sql: `update customers set revision = customers.revision + 1 from rows
        where customers.id = rows.id and customers.revision = rows.revision and customers.merged_into is null
        returning customers.id`,
})

/** A customer did something. Whose addresses or existence changed since they were read is not found. */
export const touchCustomer = operation({
  name: 'customers.touch',
  input: { id: 'text', name: 'text?', at: 'int', revision: 'int' },
  key: ['id'],
  returns: { id: 'text' },
  required: true,
  sql: `update customers set active_at = {max}(customers.active_at, rows.at), name = coalesce(rows.name, customers.name),
          named_at = case when rows.name is null then customers.named_at
            else {max}(rows.at, coalesce(customers.named_at, 0)) end
        from rows where customers.id = rows.id and customers.revision = rows.revision and customers.merged_into is null
        returning customers.id`,
})

const holderColumns = {
  shown: 'text',
  customer_id: 'text',
  channel_id: 'text?',
  linked_at: 'int',
  replaced_at: 'int?',
} as const
const addressColumns = { account_id: 'text', address: 'text', ...holderColumns } as const
const addressNames = Object.keys(addressColumns).join(', ')

/** An address that nobody has had. */
export const addAddress = operation({
  name: 'customer_addresses.add',
  input: addressColumns,
  key: ['account_id', 'address'],
  returns: { account_id: 'text', address: 'text' },
  required: true,
  sql: `insert into customer_addresses (${addressNames}) select ${addressNames} from rows where true
        on conflict (account_id, address) do nothing returning account_id, address`,
})

/** An address that a customer has: it changes, or another one has it now. */
export const changeAddress = operation({
  name: 'customer_addresses.change',
  input: { ...addressColumns, held_by: 'text' },
  key: ['account_id', 'address'],
  returns: { account_id: 'text', address: 'text' },
  required: true,
  sql: `update customer_addresses set ${Object.keys(holderColumns).map((name) => `${name} = rows.${name}`)}
        from rows where customer_addresses.account_id = rows.account_id and customer_addresses.address = rows.address
          and customer_addresses.customer_id = rows.held_by
        returning customer_addresses.account_id, customer_addresses.address`,
})

/** Gives a recipient a customer id, if the address is new. */
export const ensureAddress = operation({
  name: 'customer_addresses.ensure',
  input: addressColumns,
  key: ['account_id', 'address'],
  together: { add: (row) => row },
  sql: `insert into customer_addresses (${addressNames}) select ${addressNames} from rows where true
        on conflict (account_id, address) do nothing`,
})

/** An index is written where this moves, so that happens once an hour. */
const activeEveryMs = 3_600_000

/** The customer behind an address that was ensured, who is active because they are written to. */
export const ensureCustomer = operation({
  name: 'customers.ensure',
  input: { account_id: 'text', address: 'text', now: 'int' },
  key: ['account_id', 'address'],
  together: { add: (row, other) => ({ ...row, now: Math.max(row.now, other.now) }) },
  sql: `insert into customers (id, account_id, active_at, created_at, revision)
        select a.customer_id, a.account_id, max(rows.now), max(rows.now), 1
        from rows join customer_addresses a on a.account_id = rows.account_id and a.address = rows.address
        where true group by a.customer_id, a.account_id
        on conflict (id) do update set active_at = excluded.active_at
        where customers.active_at < excluded.active_at - ${activeEveryMs}`,
})

/** A name goes with the words it stood over. */
export const forgetNames = operation({
  name: 'customers.forget_names',
  input: { before: 'int', count: 'int' },
  returns: { id: 'text' },
  alone: true,
  ctes: `old as (select id from customers where name is not null and named_at < (select before from rows)
           order by named_at limit (select count from rows))`,
  sql: `update customers set name = null, named_at = null
        where id {in:old} and named_at < (select before from rows) returning id`,
})

/** Customers of whom nothing was heard for so long. Who opted out stays: forgetting that would start the messages again. */
export const findSilentCustomers = query({
  name: 'customers.silent',
  params: { before: 'int', count: 'int' },
  returns: { id: 'text' },
  lane: 'list',
  sql: `select c.id from customers c where c.active_at < :before
          and not exists (select 1 from contacts o where o.customer_id = coalesce(c.merged_into, c.id)
            and o.opted_out_at is not null)
        order by c.active_at limit :count`,
})

const silent = `(select c.id from customers c where c.id in (select id from rows)
          and c.active_at < (select max(before) from rows))`
const silentInput = { id: 'text', before: 'int' } as const

const dropSilent = (table: 'contacts' | 'conversations' | 'customer_addresses', unless = '') =>
  operation({
    name: `${table}.drop_silent`,
    input: silentInput,
    key: ['id'],
    sql: `delete from ${table} where customer_id in ${silent}${unless}`,
  })
export const dropSilentContacts = dropSilent('contacts')
export const dropSilentConversations = dropSilent('conversations')
export const dropSilentAddresses = dropSilent(
  'customer_addresses',
  ' and not exists (select 1 from contacts o where o.customer_id = customer_addresses.customer_id)',
)

export const dropSilentCustomers = operation({
  name: 'customers.drop_silent',
  input: silentInput,
  key: ['id'],
  returns: { id: 'text' },
  sql: `delete from customers where id in ${silent}
          and not exists (select 1 from contacts o where o.customer_id = customers.id) returning id`,
})
