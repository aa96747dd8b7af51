import { describe, expect, test } from 'vitest'
import { browserName } from './browser-name.ts'

describe('the name of a browser', () => {
  test('is what people call it, although every one claims to be every other', () => {
    const edge =
      'Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0 Safari/537.36 Edg/156.0'
    expect(browserName(edge)).toBe('Edge on Windows')
    expect(browserName('Mozilla/5.0 (X11; Linux aarch64; rv:140.0) Gecko/20100101 Firefox/140.0')).toBe(
      'Firefox on Linux',
    )
    expect(browserName('curl/8')).toBe('curl/8')
    expect(browserName(null)).toBe('Unknown')
  })
})
