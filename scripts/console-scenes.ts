import type { Page } from 'playwright-core'
import type { Shop } from './shop-gateway.ts'

export type Visitor = 'owner' | 'viewer' | 'newcomer' | 'stuck' | 'nobody'
export type Scene = {
  name: string
  /** Below the gateway, or a whole address. */
  path: string | ((shop: Shop) => string)
  /** The owner of the shop unless it says otherwise. */
  as?: Visitor
  /** What is pressed before the picture is taken. */
  act?: (page: Page) => Promise<unknown>
  /** Belongs into the documentation. */
  shown?: boolean
}

const press = (name: string | RegExp) => (page: Page) => page.getByRole('button', { name }).first().click()

/** Pages as people meet them. */
const pages: Scene[] = [
  { name: 'home', path: '/' },
  { name: 'conversations', path: '/conversations', act: openFirstConversation },
  { name: 'messages', path: '/messages' },
  { name: 'sandbox', path: '/sandbox' },
  { name: 'templates', path: '/templates' },
  { name: 'template-editor', path: '/templates/new', act: writeTemplate },
  { name: 'broadcasts', path: '/broadcasts' },
  { name: 'broadcast', path: ({ broadcastId }: Shop) => `/broadcasts/${broadcastId}` },
  { name: 'broadcast-file', path: '/broadcasts/new', act: chooseRecipients },
  { name: 'broadcast-review', path: ({ draftId }: Shop) => `/broadcasts/${draftId}` },
  { name: 'analytics', path: '/analytics' },
  { name: 'costs', path: '/costs' },
  { name: 'budget', path: '/costs', act: press('Set a budget') },
  { name: 'rates', path: '/settings/rates' },
  { name: 'rates-import', path: '/settings/rates', act: press('Import a rate card') },
  { name: 'webhooks', path: '/webhooks' },
  { name: 'channel', path: '/channel' },
  { name: 'connect', path: '/connect' },
  { name: 'api-keys', path: '/api-keys' },
  { name: 'create-key', path: '/api-keys?create' },
  { name: 'api-requests', path: '/logs' },
  { name: 'plan', path: '/settings/plan' },
  { name: 'members', path: '/settings/members' },
  { name: 'security', path: '/settings/security' },
  { name: 'audit', path: '/settings/audit' },
  { name: 'docs', path: '/help' },
  { name: 'message', path: ({ messageId }: Shop) => `/messages/${encodeURIComponent(messageId)}` },
  { name: 'webhook', path: ({ failingWebhook }: Shop) => `/webhooks/${failingWebhook}` },
  { name: 'setup', path: ({ links }: Shop) => links.unused, as: 'nobody' as const, act: introduceOwner },
].map((scene) => ({ ...scene, shown: true }))

/** One more press: drawers, dialogs, menus. */
const opened: Scene[] = [
  { name: 'message-failed', path: '/messages?status=failed', act: openFirstRow },
  { name: 'template', path: '/templates', act: openFirstRow },
  { name: 'template-blank', path: '/templates/new' },
  { name: 'account', path: '/settings/account' },
  { name: 'installation', path: '/installation' },
  { name: 'guide', path: '/help/webhooks' },
  { name: 'reference', path: '/help/api' },
  { name: 'events', path: '/help/events' },
  { name: 'webhook-settings', path: ({ failingWebhook }) => `/webhooks/${failingWebhook}?tab=settings` },
  { name: 'webhook-verify', path: ({ failingWebhook }) => `/webhooks/${failingWebhook}?tab=verify` },
  { name: 'delivery', path: ({ failingWebhook }) => `/webhooks/${failingWebhook}`, act: openFirstRow },
  { name: 'replay', path: ({ failingWebhook }) => `/webhooks/${failingWebhook}`, act: press('Replay failed…') },
  { name: 'webhook-test', path: ({ failingWebhook }) => `/webhooks/${failingWebhook}`, act: press('Send test') },
  { name: 'rotate', path: ({ failingWebhook }) => `/webhooks/${failingWebhook}?tab=settings`, act: press(/^Rotate/) },
  { name: 'add-webhook', path: '/webhooks?create' },
  { name: 'request', path: '/logs?outcome=refused', act: openFirstRow },
  { name: 'key-secret', path: '/api-keys?create', act: createKey },
  { name: 'key-menu', path: '/api-keys', act: (page) => page.locator('.table .menu button').first().click() },
  { name: 'disconnect', path: '/channel', act: press('Disconnect') },
  { name: 'send-test', path: '/?send' },
  { name: 'invite', path: '/settings/members', act: press('Invite a member') },
  { name: 'two-factor-setup', path: '/settings/security', act: beginTwoFactor },
  { name: 'two-factor-codes', path: '/settings/security', act: showRecoveryCodes },
  { name: 'two-factor-reset', path: '/settings/members', act: showGuardedMembers },
  { name: 'palette', path: '/', act: (page) => page.keyboard.press('Control+k') },
  { name: 'help', path: '/', act: (page) => page.keyboard.press('?') },
  { name: 'user-menu', path: '/', act: press('Your account') },
  { name: 'connections', path: '/connections' },
  { name: 'connect-tool', path: '/connections?create', act: showFurther },
  { name: 'connection-token', path: '/connections?create', act: connectTool },
  { name: 'connection', path: ({ connectionId }) => `/connections/${connectionId}` },
  { name: 'connection-long', path: ({ longConnectionId }) => `/connections/${longConnectionId}` },
  {
    name: 'connection-address',
    path: ({ longConnectionId }) => `/connections/${longConnectionId}`,
    act: press('Change address'),
  },
  { name: 'connection-calls', path: ({ connectionId }) => `/connections/${connectionId}?tab=calls` },
  { name: 'connection-deliveries', path: ({ connectionId }) => `/connections/${connectionId}?tab=deliveries` },
  { name: 'connection-options', path: ({ connectionId }) => `/connections/${connectionId}?tab=options` },
  { name: 'by-code', path: '/api-keys', act: (page) => page.getByText('Use the API').click() },
  { name: 'chart-table', path: '/analytics', act: press('View as table') },
  { name: 'changelog', path: '/help?changelog' },
  { name: 'no-match', path: '/messages?search=nobody' },
  { name: 'error', path: '/', act: loseTheGateway },
]

/** A member who just arrived, a member whose role may not, and a visitor without a session. */
const others: Scene[] = [
  ...['home', 'messages', 'sandbox', 'templates', 'analytics', 'webhooks', 'connections', 'channel', 'api-keys'].map(
    (name): Scene => ({ name: `empty-${name}`, path: name === 'home' ? '/' : `/${name}`, as: 'newcomer' }),
  ),
  { name: 'empty-api-requests', path: '/logs', as: 'newcomer' },
  { name: 'empty-audit', path: '/settings/audit', as: 'newcomer' },
  { name: 'setup-refused', path: '/', as: 'stuck' },
  { name: 'setup-refused-request', path: '/logs', as: 'stuck' },
  { name: 'theme-menu', path: '/help', as: 'newcomer', act: press('Theme') },
  { name: 'viewer-home', path: '/', as: 'viewer' },
  { name: 'viewer-messages', path: '/messages', as: 'viewer' },
  { name: 'viewer-api-keys', path: '/api-keys', as: 'viewer' },
  { name: 'not-found', path: '/messages/wamid.unknown' },
  { name: 'sign-in', path: '/', as: 'nobody' },
  { name: 'sign-in-refused', path: '/', as: 'nobody', act: signInWrongly },
  { name: 'sign-in-code', path: '/', as: 'nobody', act: askForCode },
  { name: 'two-factor-required', path: '/', act: requireTwoFactor },
  { name: 'link-spent', path: '/setup#token=spent', as: 'nobody' },
]

export const scenes: readonly Scene[] = [...pages, ...opened, ...others]

async function openFirstRow(page: Page): Promise<void> {
  await page.locator('.row-link').first().click()
  await page.locator('.drawer, .breadcrumb').first().waitFor()
  await page.locator('.skeleton').first().waitFor({ state: 'detached' })
}

async function openFirstConversation(page: Page): Promise<void> {
  await page.locator('.inbox a').first().click()
  await page.getByRole('log').waitFor()
}

async function writeTemplate(page: Page): Promise<void> {
  await page.getByLabel('Name', { exact: true }).fill('appointment_moved')
  await page.getByLabel('Body', { exact: true }).fill('Hi {{name}}, your appointment moved to {{date}} at {{time}}.')
  for (const [name, sample] of Object.entries({ name: 'Ana', date: '20 November', time: '14:30' }))
    await page.getByLabel(name, { exact: true }).fill(sample)
  await page.getByLabel(/^Footer/).fill('Reply STOP to opt out')
  await page.getByText('Hi Ana, your appointment').waitFor()
  await page.getByLabel(/^Footer/).blur()
  await page.mouse.wheel(0, -5_000)
}

async function introduceOwner(page: Page): Promise<void> {
  await page.getByLabel('Name').fill('Ana Sousa')
  await page.getByLabel('Email').fill('ana@acme.example')
  await page.getByLabel('Password').fill('correct horse battery')
}

async function createKey(page: Page): Promise<void> {
  await page.getByLabel('Name', { exact: true }).fill('Checkout service')
  await page.getByRole('button', { name: 'Create', exact: true }).click()
  await page.getByText('shown only once').waitFor()
}

async function showFurther(page: Page): Promise<void> {
  await page.getByText('Further permissions and allowed addresses').click()
}

async function connectTool(page: Page): Promise<void> {
  await page.getByLabel('Name').fill('مركز خدمة العملاء')
  await page.getByRole('button', { name: 'Create connection' }).click()
  await page.getByText('shown only once').waitFor()
}

async function signInWrongly(page: Page): Promise<void> {
  await page.getByLabel('Email').fill('ana@acme.example')
  await page.getByLabel('Password').fill('wrong horse battery')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('alert').waitFor()
}

/** The page asks again, and nobody answers. */
async function loseTheGateway(page: Page): Promise<void> {
  await page.route('**/console/api/**', (route) => route.abort())
  await page.getByRole('link', { name: 'Templates' }).click()
  await page.getByRole('alert').first().waitFor()
}

async function beginTwoFactor(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Turn on' }).click()
  await page.getByRole('img', { name: /^QR code/ }).waitFor()
}

async function showRecoveryCodes(page: Page): Promise<void> {
  const codes = Array.from({ length: 10 }, (_, index) => `k7mq${index}-x2vp${9 - index}`)
  await answerWith(page, '**/two-factor/confirm', 200, { success: true, data: { recovery_codes: codes } })
  await beginTwoFactor(page)
  await page.getByLabel('Code from your app').fill('123456')
  await page.getByRole('dialog').getByRole('button', { name: 'Turn on' }).click()
  await page.getByRole('list', { name: 'Recovery codes' }).waitFor()
}

async function showGuardedMembers(page: Page): Promise<void> {
  await page.route('**/console/api/members', async (route) => {
    const response = await route.fetch()
    const answer = (await response.json()) as { data: { members: { two_factor: boolean }[] } }
    for (const member of answer.data.members.slice(0, 2)) member.two_factor = true
    await route.fulfill({ response, json: answer })
  })
  await page.reload()
  await page
    .getByRole('button', { name: /^Actions for/ })
    .nth(1)
    .click()
}

async function askForCode(page: Page): Promise<void> {
  const error = {
    code: 'two_factor_required',
    message: 'Enter the code from your authenticator app, or a recovery code.',
  }
  await answerWith(page, '**/console/api/sign-in', 401, { success: false, data: null, error })
  await page.getByLabel('Email').fill('ana@acme.example')
  await page.getByLabel('Password').fill('correct horse battery')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('heading', { name: 'Enter your code' }).waitFor()
}

async function requireTwoFactor(page: Page): Promise<void> {
  await page.route('**/console/api/session', async (route) => {
    const response = await route.fetch()
    const answer = (await response.json()) as { data: { user: { two_factor: string } } }
    answer.data.user.two_factor = 'setup_required'
    await route.fulfill({ response, json: answer })
  })
  await page.reload()
  await page.getByRole('button', { name: 'Set up' }).click()
  await page.getByRole('img', { name: /^QR code/ }).waitFor()
}

async function answerWith(page: Page, address: string, status: number, json: object): Promise<void> {
  await page.route(address, (route) => route.fulfill({ status, json }))
}

async function chooseRecipients(page: Page): Promise<void> {
  await page.getByLabel('Name').fill('Spring sale')
  await page.getByRole('button', { name: 'Choose a template' }).click()
  await page.getByRole('button', { name: /^order_confirmation en_US/ }).click()
  await page.getByRole('button', { name: 'Continue' }).click()
  const rows = ['Ana,A-1001', '"Bruno, of the shop",A-1002', 'נועה,A-1003', 'Duarte,A-1004', 'Eva,A-1005']
  const lines = rows.map((row, nth) => `+35191000000${nth},${row},${nth + 9}.00 EUR`)
  const buffer = Buffer.from(['phone,name,order_id,total', ...lines].join('\n'))
  await page.getByLabel('File with recipients').setInputFiles({ name: 'customers.csv', mimeType: 'text/csv', buffer })
  await page.getByRole('region', { name: 'Preview' }).waitFor()
}
