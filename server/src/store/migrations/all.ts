import { house } from './0001-house.ts'
import { accounts } from './0002-accounts.ts'
import { webhooks } from './0007-webhooks.ts'
import type { Migration } from './migration.ts'

/** In order of their ids. */
export const migrations: readonly Migration[] = [house, accounts, webhooks]
