import { expect, test } from 'vitest'
import { databaseServers } from './database-servers.ts'

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
