import { Postern } from '@postern/sdk'
import { type Command, switchOption, textOption } from '../../command.ts'
import { readEnvironment } from '../../env.ts'
import { exitCodes, notFound, wrongUsage } from '../../exit-codes.ts'
import { askSecret } from '../../gateway/ask-secret.ts'
import { explainGateway, withScheme } from '../../gateway/gateway-client.ts'
import { ask } from '../../gateway/gateway-command.ts'
import { dropLogin, findLogin, keepLogin } from '../../gateway/logins.ts'
import { noWords, requiredFlag, textFlag } from '../../read-flags.ts'

type Me = { account: { name: string }; api_key: { name: string } | null; scopes: string[] }

const json = switchOption('One JSON object on stdout.')
const example = 'https://gateway.example.com'

export const login: Command = {
  name: 'login',
  summary: 'Save an API key for a remote gateway, for use by other commands.',
  examples: [
    `postern login --base-url ${example}`,
    `POSTERN_API_KEY=ptk_… POSTERN_API_SECRET=pts_… postern login --base-url ${example} --json`,
  ],
  options: {
    'base-url': textOption(`Address of the gateway, such as ${example}.`),
    json,
    'api-key': textOption(
      'The API key, ptk_… (POSTERN_API_KEY). Its secret is prompted for, or read from POSTERN_API_SECRET.',
    ),
  },
  async run({ flags, positionals, output, host }) {
    noWords(positionals)
    const baseUrl = withScheme(requiredFlag(flags, 'base-url', example))
    const environment = readEnvironment(host.env)
    const apiKey =
      textFlag(flags, 'api-key') ?? environment.apiKey ?? (await askSecret('API key (ptk_…): ', { shown: true }, host))
    const apiSecret = environment.apiSecret ?? (await askSecret('API secret (pts_…): ', { shown: false }, host))
    if (!apiKey || !apiSecret)
      throw wrongUsage('Give the API key and its secret: create them in the console under API Keys.')
    try {
      const me = await ask<Me>(new Postern({ baseUrl, apiKey, apiSecret }), { method: 'GET', path: '/v1/auth/me' })
      const file = keepLogin(host.env, { base_url: baseUrl, api_key: apiKey, api_secret: apiSecret })
      output.result(
        { base_url: baseUrl, account: me.account.name, scopes: me.scopes, file },
        `Signed in to ${baseUrl} as ${me.account.name}, saved in ${file}.\n`,
      )
      return exitCodes.ok
    } catch (error) {
      throw explainGateway(error, baseUrl)
    }
  },
}

export const logout: Command = {
  name: 'logout',
  summary: 'Delete the API key that "postern login" saved. The key itself stays valid.',
  examples: ['postern logout', `postern logout --base-url ${example}`],
  options: { 'base-url': textOption('Which gateway. Default: the one of the last login.'), json },
  async run({ flags, positionals, output, host: { env } }) {
    noWords(positionals)
    const named = textFlag(flags, 'base-url')
    const baseUrl = named === null ? findLogin(env, null)?.base_url : withScheme(named)
    if (!baseUrl || !dropLogin(env, baseUrl))
      throw notFound(`There is no login${baseUrl ? ` for ${baseUrl}` : ''} to delete.`)
    output.result({ base_url: baseUrl }, `Signed out of ${baseUrl}.\n`)
    return exitCodes.ok
  },
}
