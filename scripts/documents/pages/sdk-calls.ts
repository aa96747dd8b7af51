import type { Call } from './call.ts'

type Kind = 'value' | 'list' | 'form' | 'bytes'

type Method = { name: string; kind?: Kind }

/** Operations whose method has another name than the rule of `sdkMethodOf` gives. */
export const sdkMethods: Readonly<Record<string, Method>> = {
  revokeToken: { name: 'auth.revoke' },
  getCurrentUser: { name: 'auth.me' },
  sendText: { name: 'messages.send' },
  getMessage: { name: 'messages.get' },
  listMessages: { name: 'messages.list', kind: 'list' },
  cancelMessage: { name: 'messages.cancel' },
  cancelMessages: { name: 'messages.cancelAll' },
  markMessageRead: { name: 'messages.markRead' },
  uploadMedia: { name: 'media.upload', kind: 'form' },
  getMedia: { name: 'media.get' },
  getMediaContent: { name: 'media.content', kind: 'bytes' },
  deleteMedia: { name: 'media.delete' },
  listTemplates: { name: 'templates.list', kind: 'list' },
  createTemplate: { name: 'templates.create' },
  getTemplate: { name: 'templates.get' },
  updateTemplate: { name: 'templates.update' },
  deleteTemplate: { name: 'templates.delete' },
  previewTemplate: { name: 'templates.preview' },
  getProfile: { name: 'profile.get' },
  updateProfile: { name: 'profile.update' },
  listLinks: { name: 'links.list' },
  createLink: { name: 'links.create' },
  updateLink: { name: 'links.update' },
  deleteLink: { name: 'links.delete' },
  getAutomation: { name: 'automation.get' },
  setAutomation: { name: 'automation.set' },
  getKeywords: { name: 'keywords.get' },
  setKeywords: { name: 'keywords.set' },
  listConversations: { name: 'conversations.list', kind: 'list' },
  getConversation: { name: 'conversations.get' },
  assignConversation: { name: 'conversations.assign' },
  closeConversation: { name: 'conversations.close' },
  reopenConversation: { name: 'conversations.reopen' },
  listAssignees: { name: 'conversations.assignees' },
  listSavedReplies: { name: 'savedReplies.list' },
  createSavedReply: { name: 'savedReplies.create' },
  updateSavedReply: { name: 'savedReplies.update' },
  deleteSavedReply: { name: 'savedReplies.delete' },
  getConversationControl: { name: 'conversations.control' },
  controlConversation: { name: 'conversations.setControl' },
  listBlocked: { name: 'blocked.list', kind: 'list' },
  blockCustomers: { name: 'blocked.add' },
  unblockCustomer: { name: 'blocked.remove' },
  createBroadcast: { name: 'broadcasts.create' },
  listBroadcasts: { name: 'broadcasts.list', kind: 'list' },
  getBroadcast: { name: 'broadcasts.get' },
  updateBroadcast: { name: 'broadcasts.update' },
  deleteBroadcast: { name: 'broadcasts.delete' },
  uploadRecipients: { name: 'broadcasts.upload' },
  getUploadProblems: { name: 'broadcasts.problems', kind: 'bytes' },
  estimateBroadcast: { name: 'broadcasts.estimate' },
  previewBroadcast: { name: 'broadcasts.preview' },
  testBroadcast: { name: 'broadcasts.test' },
  startBroadcast: { name: 'broadcasts.start' },
  pauseBroadcast: { name: 'broadcasts.pause' },
  resumeBroadcast: { name: 'broadcasts.resume' },
  cancelBroadcast: { name: 'broadcasts.cancel' },
  listRecipients: { name: 'broadcasts.recipients', kind: 'list' },
  exportRecipients: { name: 'broadcasts.export', kind: 'bytes' },
  copyBroadcast: { name: 'broadcasts.copy' },
  listCustomers: { name: 'customers.list', kind: 'list' },
  createCustomer: { name: 'customers.create' },
  getCustomer: { name: 'customers.get' },
  setCustomerPreference: { name: 'customers.setPreference' },
  listWebhooks: { name: 'webhooks.list', kind: 'list' },
  createWebhook: { name: 'webhooks.create' },
  getWebhook: { name: 'webhooks.get' },
  updateWebhook: { name: 'webhooks.update' },
  deleteWebhook: { name: 'webhooks.delete' },
  verifyWebhook: { name: 'webhooks.verify' },
  testWebhook: { name: 'webhooks.test' },
  rotateWebhookSecret: { name: 'webhooks.rotateSecret' },
  listDeliveries: { name: 'webhooks.deliveries', kind: 'list' },
  getDelivery: { name: 'webhooks.delivery' },
  retryDelivery: { name: 'webhooks.retry' },
  replayDeliveries: { name: 'webhooks.replay' },
  listEvents: { name: 'events.list', kind: 'list' },
  getAnalytics: { name: 'analytics.get' },
  getCosts: { name: 'analytics.costs' },
  getServiceTimes: { name: 'analytics.serviceTimes' },
  listBudgets: { name: 'budgets.list' },
  createBudget: { name: 'budgets.create' },
  updateBudget: { name: 'budgets.update' },
  deleteBudget: { name: 'budgets.delete' },
}

/** The method of the SDK for an operation; one without is called by `request`. A kind of send has a method of its name. */
export function sdkMethodOf(operationId: string): Method | undefined {
  return sdkMethods[operationId] ?? (operationId.startsWith('send') ? { name: `messages.${operationId}` } : undefined)
}

/** Calls the SDK makes by itself, before the first call and whenever a token expires. */
const automatic = ['createToken', 'refreshToken']

export function sdkCall({ operationId, method, path, pathValues, body }: Call): string {
  if (automatic.includes(operationId))
    return '// The client gets, keeps and renews its token by itself.\nawait postern.auth.me()'
  if (operationId === 'listenToEvents')
    return `// On the command line: postern listen --forward-to http://localhost:3000/webhooks\nfor await (const event of postern.events.list()) console.log(event.type)`
  const { name, kind = 'value' } = sdkMethodOf(operationId) ?? {}
  if (name === undefined) {
    const request = { method: method.toUpperCase(), path, ...(body === undefined ? {} : { body }) }
    return `console.log(await postern.request(${objectText(request)}))`
  }
  const values = pathValues.map((value) => `'${value}'`)
  if (kind === 'form') return `${openFile}console.log(await postern.${name}({ file, filename: 'receipt.pdf' }))`
  const given = [...values, ...(body === undefined ? [] : [objectText(body)])].join(', ')
  if (kind === 'list') return `for await (const entry of postern.${name}(${given})) console.log(entry)`
  const result = `await postern.${name}(${given})`
  return kind === 'bytes'
    ? `const response = ${result}\nconsole.log((await response.bytes()).length)`
    : `console.log(${result})`
}

const openFile = "const file = await openAsBlob('receipt.pdf') // from node:fs\n"

/** An object as TypeScript is written, with the camelCase names of the SDK. */
function objectText(value: unknown, indent = ''): string {
  if (Array.isArray(value)) return `[${value.map((one) => objectText(one, indent)).join(', ')}]`
  if (typeof value !== 'object' || value === null) return typeof value === 'string' ? quoted(value) : String(value)
  const entries = Object.entries(value).map(
    ([name, one]) => `${indent}  ${camel(name)}: ${objectText(one, `${indent}  `)},`,
  )
  return entries.length === 0 ? '{}' : `{\n${entries.join('\n')}\n${indent}}`
}

const camel = (name: string) => name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())
const quoted = (text: string) => `'${text.replace(/['\\]/g, '\\$&')}'`
