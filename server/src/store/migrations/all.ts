import { access } from '../schema/access.ts'
import { accounts } from '../schema/accounts.ts'
import { analytics } from '../schema/analytics.ts'
import { broadcasts } from '../schema/broadcasts.ts'
import { channels } from '../schema/channels.ts'
import { costs } from '../schema/costs.ts'
import { customers } from '../schema/customers.ts'
import { installation, jobs } from '../schema/installation.ts'
import { media } from '../schema/media.ts'
import { messages, waiting } from '../schema/messages.ts'
import { people } from '../schema/people.ts'
import type { Migration } from '../schema/table-statements.ts'
import { templates } from '../schema/templates.ts'
import { webhooks } from '../schema/webhooks.ts'

const nouns = [
  installation,
  accounts,
  people,
  access,
  channels,
  templates,
  customers,
  messages,
  waiting,
  broadcasts,
  media,
  webhooks,
  analytics,
  costs,
  jobs,
]

/** The whole schema. Edited in place until the first release; a database with another checksum is rejected. */
const baseline: Migration = {
  id: 1,
  name: 'baseline',
  statements: nouns.flatMap(({ statements }) => statements),
  sqlite: nouns.flatMap(({ sqlite = [] }) => sqlite),
  postgres: nouns.flatMap(({ postgres = [] }) => postgres),
}

/** In this order. After the first release only ever longer. */
export const migrations: readonly Migration[] = [baseline]
