import { expect, test } from 'vitest'
import { databaseServers, splitOptions } from './postgres-primary.ts'

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

test.each([
  ['postgres://u:50%off@a.test/x', 'postgres://u:50%off@a.test/x', ''],
  ['postgres://a.test/x?options=-c%20search_path%3Dmine', 'postgres://a.test/x', '-c search_path=mine'],
  [
    'postgres://a.test/x?options=-csearch_path=a,b&sslmode=require',
    'postgres://a.test/x?sslmode=require',
    '-csearch_path=a,b',
  ],
  [
    'postgres:///x?host=/run/pg&options=-c+a%3D1&application_name=a?b',
    'postgres:///x?host=/run/pg&application_name=a?b',
    '-c a=1',
  ],
])('%s is %s with the options %j', (url, address, options) => {
  expect(splitOptions(url)).toEqual({ address, options })
})
