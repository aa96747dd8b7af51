import { expect, test } from 'vitest'
import { findPrimary } from './postgres-primary.ts'

test('a connection that the server ends before anybody listens to it does not end the process', () => {
  const { Client } = findPrimary('postgres://postern@127.0.0.1:5432/postern')
  const client = new Client()
  expect(() => client.emit('error', new Error('terminating connection due to administrator command'))).not.toThrow()
})
