import { startSandbox } from '../../sandbox/src/sandbox.ts'
import { createCloudApi } from '../../server/src/platform/cloud/cloud-api.ts'
import { departFromContract } from '../support/contract/violations.ts'
import { describePlatform, type PlatformUnderTest } from './conformance.ts'

describePlatform('The cloud client and the sandbox', async (): Promise<PlatformUnderTest> => {
  const sandbox = await startSandbox({ port: 0, approved: true, development: true })
  const platform = createCloudApi({ repeatPauseMs: 10 })
  const [first] = sandbox.numbers
  if (!first) throw new Error('The sandbox starts with one number.')

  async function control(method: string, path: string, body?: object): Promise<Record<string, unknown>> {
    const response = await fetch(`${sandbox.url}/_sandbox/${path}`, {
      method,
      ...(body && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
    })
    const answer = (await response.json()) as Record<string, unknown>
    if (!response.ok) throw new Error(`The sandbox refused ${method} ${path}: ${JSON.stringify(answer)}`)
    return answer
  }

  return {
    platform,
    number: {
      phoneNumberId: first.phone_number_id,
      wabaId: first.waba_id,
      accessToken: first.access_token,
      appId: first.app_id,
      baseUrl: sandbox.url,
      graphVersion: first.graph_version,
    },
    appSecret: first.app_secret,
    openCustomer: '+12025550100',
    async behave(scenario) {
      if (JSON.stringify(scenario).includes('unknown_')) departFromContract(/sandbox_unknown|'hologram'/)
      await control('PUT', 'scenario', scenario)
    },
    async inbound(message) {
      if ('hologram' in message) departFromContract(/messages\[\]\.type .* 'hologram'/)
      return String((await control('POST', 'inbound', message)).message_id)
    },
    async review(templateName, decision) {
      await control('POST', `templates/${templateName}/review`, decision)
    },
    async event(field, value) {
      await control('POST', 'events', { field, value })
    },
    async accepted(correlation) {
      const { data } = await control('GET', `messages?biz_opaque_callback_data=${correlation}`)
      return (data as { payload: Record<string, unknown> }[]).map(({ payload }) => payload)
    },
    async close() {
      await platform.close()
      await sandbox.close()
    },
  }
})
