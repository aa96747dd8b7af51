import type { Command } from './command.ts'
import { accountsCreate, accountsList, accountsResume, accountsSetPlan, accountsSuspend } from './commands/accounts.ts'
import { auditVerify } from './commands/audit.ts'
import {
  channelsCheck,
  channelsConnect,
  channelsDefault,
  channelsDisconnect,
  channelsList,
} from './commands/channels.ts'
import { configCheck, configPrint } from './commands/config.ts'
import { doctor } from './commands/doctor.ts'
import { keysCreate, keysList, keysRevoke, keysRotate } from './commands/keys.ts'
import { masterKeyRotate } from './commands/master-key.ts'
import { migrateStatus, migrateUp } from './commands/migrate.ts'
import { openapi } from './commands/openapi.ts'
import { purge } from './commands/purge.ts'
import { sandbox } from './commands/sandbox.ts'
import { serveCommand } from './commands/serve.ts'
import { signingKeysRotate } from './commands/signing-keys.ts'
import { setupLink, usersCreate, usersResetPassword } from './commands/users.ts'
import { versionCommand } from './commands/version.ts'
import type { DataCommand } from './data-command.ts'

/** Commands that work with the data; a running server carries them out for the command line. */
const dataCommands: readonly DataCommand[] = [
  accountsCreate,
  accountsList,
  accountsSetPlan,
  accountsSuspend,
  accountsResume,
  channelsConnect,
  channelsCheck,
  channelsList,
  channelsDefault,
  channelsDisconnect,
  keysCreate,
  keysList,
  keysRotate,
  keysRevoke,
  usersCreate,
  usersResetPassword,
  setupLink,
  signingKeysRotate,
  auditVerify,
  purge,
]

export const commands: readonly Command[] = [
  serveCommand(dataCommands),
  ...dataCommands,
  masterKeyRotate,
  sandbox,
  openapi,
  doctor,
  migrateStatus,
  migrateUp,
  configPrint,
  configCheck,
  versionCommand,
]
