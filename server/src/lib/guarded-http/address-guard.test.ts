import { describe, expect, test } from 'vitest'
import { checkTargetUrl, createAddressGuard, type TargetPolicy } from './address-guard.ts'
import { isPublicAddress } from './address-guard-ranges.ts'

const production: TargetPolicy = { allow: [], allowLoopback: false }

describe('isPublicAddress', () => {
  test.each([
    '1.1.1.1',
    '8.8.8.8',
    '100.63.255.255',
    '172.32.0.1',
    '2606:4700::1111',
    '2a00:1450:4001::1',
    '::ffff:8.8.8.8',
  ])('%s is public', (address) => expect(isPublicAddress(address)).toBe(true))

  test.each([
    ['0.0.0.0', '10.0.0.1', '100.64.0.1', '100.127.255.255', '127.0.0.1', '127.255.255.255', '169.254.169.254'],
    [
      '172.16.0.1',
      '172.31.255.255',
      '192.0.0.1',
      '192.0.2.1',
      '192.88.99.1',
      '192.168.1.1',
      '198.18.0.1',
      '198.19.255.1',
    ],
    ['198.51.100.1', '203.0.113.1', '224.0.0.1', '240.0.0.1', '255.255.255.255'],
    ['::', '::1', '::127.0.0.1', '::ffff:127.0.0.1', '::ffff:7f00:1', '::ffff:10.0.0.1', '::ffff:0:10.0.0.1'],
    ['64:ff9b::7f00:1', '64:ff9b:1::1', '100::1', '2001::1', '2001:db8::1', '2002:7f00:1::', '3fff::1', '5f00::1'],
    ['fc00::1', 'fd00:ec2::254', 'fe80::1', 'fe80::1%eth0', 'fec0::1', 'ff02::1', '4000::1', '200::1'],
    ['', 'localhost', '1.2.3', 'example.test'],
  ])('none of %s and its neighbours is public', (...addresses) => {
    expect(addresses.filter(isPublicAddress)).toEqual([])
  })
})

describe('the address guard', () => {
  test('an allow-listed range, or any address of an allow-listed name, may be reached', () => {
    const guard = createAddressGuard({ allow: ['10.1.0.0/16', 'host.docker.internal'], allowLoopback: false })
    expect(guard.permits('10.1.2.3', 'a.test')).toBe(true)
    expect(guard.permits('::ffff:10.1.2.3', 'a.test')).toBe(true)
    expect(guard.permits('10.2.0.1', 'a.test')).toBe(false)
    expect(guard.permits('192.168.65.2', 'Host.Docker.Internal.')).toBe(true)
    expect(guard.permits('127.0.0.1', 'a.test')).toBe(false)
  })

  test('loopback opens loopback and nothing else', () => {
    const guard = createAddressGuard({ allow: [], allowLoopback: true })
    expect(guard.permits('127.0.0.5', 'localhost')).toBe(true)
    expect(guard.permits('::1', 'localhost')).toBe(true)
    expect(guard.permits('10.0.0.1', 'localhost')).toBe(false)
    expect(guard.permits('127.0.0.1', '127.0.0.1')).toBe(true)
    expect(guard.permits('127.0.0.1', 'hooks.test')).toBe(false)
  })

  test('public addresses of our own are refused', () => {
    const guard = createAddressGuard({ ...production, deny: ['8.8.4.4', '2606:4700::/32'] })
    expect(guard.permits('8.8.8.8', 'a.test')).toBe(true)
    expect(guard.permits('8.8.4.4', 'a.test')).toBe(false)
    expect(guard.permits('2606:4700::1', 'a.test')).toBe(false)
  })
})

describe('checkTargetUrl', () => {
  test.each([
    'https://hooks.example.test/a?b=c',
    'https://hooks.example.test:8443/',
    'https://hooks.example.test:1024/',
    'https://does-not-exist.invalid/',
    'https://münchen.test/',
  ])('accepts %s', (url) => expect(checkTargetUrl(url, production)).toMatchObject({ ok: true }))

  test.each([
    ['https://127.1/', 'https://0x7f000001/', 'https://2130706433/', 'https://017700000001/', 'https://0/'],
    ['https://[::1]/', 'https://[::ffff:7f00:1]/', 'https://[::ffff:10.0.0.1]/', 'https://169.254.169.254/'],
    ['https://[fd00:ec2::254]/', 'https://[64:ff9b::7f00:1]/', 'https://8.8.8.8/', 'https://100.64.0.1/'],
    ['https://localhost/', 'https://localhost./', 'https://LOCALHOST/', 'https://a.localhost/', 'https://intranet/'],
    ['https://printer.local/', 'https://metadata.google.internal/', 'https://x.internal./'],
    ['https://user:pw@a.test/', 'https://user@a.test/', 'https://a.test/#', 'https://a.test/#x', 'https://'],
    ['https://a.test:25/', 'https://a.test:22/', 'https://a.test:80/', 'https://a.test:99999/'],
    [
      'file:///etc/passwd',
      'ftp://a.test/',
      'javascript:alert(1)',
      'a.test/hook',
      '',
      `https://a.test/${'x'.repeat(2048)}`,
    ],
  ])('refuses %s and its neighbours as invalid_url', (...urls) => {
    const codes = urls
      .map((url) => checkTargetUrl(url, production))
      .map((check) => (check.ok ? 'accepted' : check.code))
    expect(new Set(codes)).toEqual(new Set(['invalid_url']))
  })

  test('http is refused with https_required and names the setting that would permit it', () => {
    const check = checkTargetUrl('http://hooks.example.test/', production)
    expect(check).toMatchObject({ ok: false, code: 'https_required' })
    expect(check).toHaveProperty('message', expect.stringContaining('POSTERN_WEBHOOK_DEV_ALLOW'))
  })

  test('https to this machine needs the loopback policy, http to it needs the allow list', () => {
    const loopback = { allow: [], allowLoopback: true }
    for (const host of ['localhost:3000', '127.0.0.1:3000', '[::1]:3000']) {
      expect(checkTargetUrl(`https://${host}/`, loopback).ok).toBe(true)
      expect(checkTargetUrl(`http://${host}/`, loopback)).toMatchObject({ code: 'https_required' })
    }
    const listed = { allow: ['127.0.0.0/8', 'host.docker.internal'], allowLoopback: false }
    for (const host of ['localhost:3000', '127.0.0.1', '127.1:3000', 'host.docker.internal']) {
      expect(checkTargetUrl(`http://${host}/`, listed).ok).toBe(true)
    }
    expect(checkTargetUrl('http://10.0.0.1/', listed)).toMatchObject({ code: 'https_required' })
  })
})
