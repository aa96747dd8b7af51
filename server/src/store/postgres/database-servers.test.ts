import { expect, test } from 'vitest'
import { databaseServers, withOptions } from './database-servers.ts'

test.each([
  ['postgres://localhost/postern', ['postgres://localhost/postern']],
  ['postgres://u:p,q@a.test:5432/x?sslmode=require', ['postgres://u:p,q@a.test:5432/x?sslmode=require']],
  ['postgres:///x?host=/run/postgresql', ['postgres:///x?host=/run/postgresql']],
  [
    'postgres://u:p@a.test:1,b.test/x?target_session_attrs=read-write&sslmode=require',
    ['postgres://u:p@a.test:1/x?sslmode=require', 'postgres://u:p@b.test/x?sslmode=require'],
  ],
  [
    'postgresql://[::1]:1,[::2]:2/x?sslmode=require&target_session_attrs=primary',
    ['postgresql://[::1]:1/x?sslmode=require', 'postgresql://[::2]:2/x?sslmode=require'],
  ],
])('%s names %j', (url, servers) => {
  expect(databaseServers(url)).toEqual(servers)
})

test('settings in the URL come before ours', () => {
  const url = 'postgres://u:p%20q@a.test/x?sslmode=require&options=-c%20search_path%3Dmine'
  const options = '-c jit=off -c default_transaction_isolation=read\\ committed'
  const { searchParams, password } = new URL(withOptions(url, options))
  expect(searchParams.get('options')).toBe(`-c search_path=mine ${options}`)
  expect([searchParams.get('sslmode'), password]).toEqual(['require', 'p%20q'])
  expect(withOptions('postgres:///x?host=/run/postgresql', options)).toBe('postgres:///x?host=/run/postgresql')
})
