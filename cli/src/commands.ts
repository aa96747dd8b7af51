import type { Command } from './command.ts'
import { configCheck, configPrint } from './commands/config.ts'
import { migrateStatus, migrateUp } from './commands/migrate.ts'
import { serve } from './commands/serve.ts'
import { versionCommand } from './commands/version.ts'

export const commands: readonly Command[] = [serve, migrateStatus, migrateUp, configPrint, configCheck, versionCommand]
