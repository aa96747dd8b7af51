import { expect, test } from 'vitest'
import { explainStartFailure } from './start-failure.ts'

test('a listener whose host has no address is explained by the settings that name it', () => {
  const error = new Error('getaddrinfo ENOTFOUND gateway.invalid')
  Object.assign(error, { code: 'ENOTFOUND', syscall: 'getaddrinfo', hostname: 'gateway.invalid' })
  expect(explainStartFailure(error)).toBe(
    'There is no address for the host gateway.invalid (ENOTFOUND): see POSTERN_LISTEN and POSTERN_ADMIN_LISTEN.',
  )
})
