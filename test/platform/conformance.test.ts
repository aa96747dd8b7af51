import { expect } from 'vitest'
import { startSandbox } from '../../sandbox/src/sandbox.ts'
import { createCloudApi } from '../../server/src/platform/cloud/cloud-api.ts'
import { startContractProxy } from '../support/contract-proxy.ts'
import { describePlatform, type PlatformUnderTest } from './conformance.ts'

describePlatform('The cloud client and the sandbox', async (): Promise<PlatformUnderTest> => {
  const sandbox = await startSandbox({ port: 0, approved: true, development: true })
  const proxy = await startContractProxy(sandbox)
  // A twentieth of the deadline in production; long enough for a slow machine, short enough for five silent answers.
  const platform = createCloudApi({ totalMs: 750, repeatPauseMs: 10 })
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
      baseUrl: proxy.url,
      graphVersion: first.graph_version,
    },
    appSecret: first.app_secret,
    openCustomer: '+12025550100',
    async behave(scenario) {
      proxy.looksAtCallbacks = !JSON.stringify(scenario).includes('unknown_')
      await control('PUT', 'scenario', scenario)
    },
    async inbound(message) {
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
      await proxy.close()
      // One test makes a customer send what no document speaks of; nothing else may differ.
      const holograms = 'callback: messages.messages[].hologram is object, recorded is nothing'
      expect(proxy.differences.filter((line) => line !== holograms)).toEqual([])
    },
  }
})
