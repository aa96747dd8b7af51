import { networkInterfaces } from 'node:os'
import { describe, expect, test } from 'vitest'
import { factsOf } from '../../store/open-store.ts'
import { ownHosts } from './address-guard.ts'

describe('hosts of our own', () => {
  test('are the addresses of this machine, where clients reach us, and the database', async () => {
    const urls = ['https://gateway.test/', 'https://[2606:4700::1]:8443/', null]
    const hosts = await ownHosts({ urls, databaseUrls: ['postgres://me:pw@8.8.4.4:5432/postern'] })
    expect(hosts).toEqual(expect.arrayContaining(['gateway.test', '2606:4700::1', '8.8.4.4']))
    const machine = Object.values(networkInterfaces()).flatMap((found) => found ?? [])
    expect(hosts).toEqual(expect.arrayContaining(machine.map(({ address }) => address.replace(/%.*/, ''))))
  })

  test('are all servers of the database', async () => {
    const database = { kind: 'postgres', url: 'postgres://me:pw@8.8.4.4:5432,8.8.8.8/postern' } as const
    const hosts = await ownHosts({ urls: [], databaseUrls: factsOf(database).serverUrls() })
    expect(hosts).toEqual(expect.arrayContaining(['8.8.4.4', '8.8.8.8']))
  })

  test('hold the addresses of the database beside its name', async () => {
    const hosts = await ownHosts({ urls: [], databaseUrls: ['postgres://localhost/postern'] })
    expect(hosts).toContain('localhost')
    expect(hosts.some((host) => host === '127.0.0.1' || host === '::1')).toBe(true)
  })
})
