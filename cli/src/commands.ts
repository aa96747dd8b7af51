import type { Command } from './command.ts'
import type { DataCommand } from './data-command.ts'

type Group<Kind extends Command = Command> = () => Promise<readonly Kind[]>

/** Commands that work with the data; a running server carries them out for the command line. */
const dataGroups: Readonly<Record<string, Group<DataCommand>>> = {
  accounts: async () => {
    const { accountsCreate, accountsList, accountsSetPlan, accountsSuspend, accountsResume, accountsDelete } =
      await import('./commands/accounts.ts')
    return [accountsCreate, accountsList, accountsSetPlan, accountsSuspend, accountsResume, accountsDelete]
  },
  channels: async () => {
    const { channelsConnect, channelsCheck, channelsManual, channelsList, channelsDefault, channelsDisconnect } =
      await import('./commands/channels.ts')
    const { channelsProbe } = await import('./commands/channels-probe.ts')
    const { channelsLinks, channelsAutomation, channelsKeywords } = await import('./commands/numbers/entry-points.ts')
    const { channelsProfile, channelsBlocked } = await import('./commands/channels-profile.ts')
    return [
      channelsConnect,
      channelsCheck,
      channelsManual,
      channelsProbe,
      channelsProfile,
      channelsBlocked,
      channelsLinks,
      channelsAutomation,
      channelsKeywords,
      channelsList,
      channelsDefault,
      channelsDisconnect,
    ]
  },
  keys: async () => {
    const { keysCreate, keysList, keysRotate, keysRevoke } = await import('./commands/keys.ts')
    return [keysCreate, keysList, keysRotate, keysRevoke]
  },
  connections: async () => {
    const of = await import('./commands/connections/connections.ts')
    const callbacks = await import('./commands/connections/callbacks.ts')
    const { connectionsTry } = await import('./commands/connections/try.ts')
    return [
      of.connectionsCreate,
      of.connectionsList,
      of.connectionsShow,
      connectionsTry,
      of.connectionsChange,
      of.connectionsRotate,
      of.connectionsSecret,
      of.connectionsSwitch,
      of.connectionsDelete,
      callbacks.connectionsCallback,
      callbacks.connectionsVerify,
      callbacks.connectionsPause,
      callbacks.connectionsResume,
      callbacks.connectionsDeliveries,
      callbacks.connectionsReplay,
    ]
  },
  users: async () => {
    const { usersCreate, usersResetPassword, usersResetTwoFactor, usersSignInLink } = await import(
      './commands/users.ts'
    )
    return [usersCreate, usersResetPassword, usersResetTwoFactor, usersSignInLink]
  },
  operators: async () => {
    const { operatorsAdd, operatorsRemove, operatorsList } = await import('./commands/users.ts')
    return [operatorsAdd, operatorsRemove, operatorsList]
  },
  'setup-link': async () => [(await import('./commands/users.ts')).setupLink],
  'signing-keys': async () => [(await import('./commands/rotate-keys.ts')).signingKeysRotate],
  logs: async () => [(await import('./commands/logs.ts')).logsTail],
  audit: async () => [(await import('./commands/logs.ts')).auditVerify],
  feed: async () => [(await import('./commands/restore.ts')).feedReset],
  purge: async () => [(await import('./commands/purge.ts')).purge],
  webhooks: async () => [(await import('./commands/webhooks-failing.ts')).webhooksFailing],
  messages: async () => [
    (await import('./commands/messages/settle.ts')).messagesSettle,
    (await import('./commands/messages/ask.ts')).messagesAsk,
  ],
  media: async () => [(await import('./commands/media-move.ts')).mediaMove],
  waiting: async () => [(await import('./commands/restore.ts')).waitingRelease],
  rates: async () => {
    const { ratesImport, ratesList, ratesRemove } = await import('./commands/costs/rates.ts')
    return [ratesImport, ratesList, ratesRemove]
  },
}

const groups: Readonly<Record<string, Group>> = {
  serve: async () => [(await import('./commands/serve.ts')).serveCommand(await loaded(dataGroups))],
  ...dataGroups,
  backup: async () => [(await import('./commands/backup.ts')).backup],
  restore: async () => [(await import('./commands/restore.ts')).restore],
  copy: async () => [(await import('./commands/copy.ts')).copy],
  'master-key': async () => [(await import('./commands/rotate-keys.ts')).masterKeyRotate],
  login: async () => [(await import('./commands/api/login.ts')).login],
  logout: async () => [(await import('./commands/api/login.ts')).logout],
  send: async () => [(await import('./commands/api/send.ts')).send],
  cancel: async () => [(await import('./commands/api/cancel.ts')).cancel],
  messages: async () => [
    ...(await import('./commands/api/messages.ts')).messages,
    ...((await dataGroups.messages?.()) ?? []),
  ],
  broadcasts: async () => (await import('./commands/api/broadcasts.ts')).broadcasts,
  customers: async () => (await import('./commands/api/customers.ts')).customers,
  templates: async () => (await import('./commands/api/templates.ts')).templates,
  media: async () => [...(await import('./commands/api/media.ts')).media, ...((await dataGroups.media?.()) ?? [])],
  webhooks: async () => [
    ...(await import('./commands/api/webhooks.ts')).webhooks,
    ...((await dataGroups.webhooks?.()) ?? []),
  ],
  events: async () => (await import('./commands/api/events.ts')).events,
  analytics: async () => [(await import('./commands/api/analytics.ts')).analytics],
  costs: async () => [(await import('./commands/api/costs.ts')).costs],
  budgets: async () => (await import('./commands/api/budgets.ts')).budgets,
  listen: async () => [(await import('./commands/api/listen.ts')).listen],
  trigger: async () => [(await import('./commands/api/trigger.ts')).trigger],
  verify: async () => [(await import('./commands/verify.ts')).verify],
  sandbox: async () => [(await import('./commands/sandbox.ts')).sandbox],
  openapi: async () => [(await import('./commands/openapi.ts')).openapi],
  doctor: async () => [(await import('./commands/doctor.ts')).doctor],
  health: async () => [(await import('./commands/health.ts')).health],
  migrate: async () => {
    const { migrateStatus, migrateUp } = await import('./commands/migrate.ts')
    return [migrateStatus, migrateUp]
  },
  config: async () => {
    const { configPrint, configCheck } = await import('./commands/config.ts')
    return [configPrint, configCheck]
  },
  completion: async () => [(await import('./commands/completion.ts')).completionCommand(allCommands)],
  version: async () => [(await import('./commands/version.ts')).versionCommand],
}

/** The commands that begin with this word. Loaded alone: all of them together take half a second. */
export async function commandsOf(word: string): Promise<readonly Command[]> {
  return Object.hasOwn(groups, word) ? ((await groups[word]?.()) ?? []) : []
}

/** Every command, in the order of the overview. */
export function allCommands(): Promise<readonly Command[]> {
  return loaded(groups)
}

async function loaded<Kind extends Command>(from: Readonly<Record<string, Group<Kind>>>): Promise<readonly Kind[]> {
  return (await Promise.all(Object.values(from).map((group) => group()))).flat()
}
