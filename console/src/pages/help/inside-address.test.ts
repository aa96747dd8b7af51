import { expect, test } from 'vitest'
import { docsAddress, insideAddress } from './inside-address.ts'

test('links between pages of the documentation stay inside the console, and files are left alone', () => {
  expect(insideAddress('/docs')).toBe('/help/guides')
  expect(docsAddress('guides')).toBe('/docs')
  expect(insideAddress('/docs/webhooks#retries')).toBe('/help/webhooks#retries')
  expect(docsAddress('webhooks')).toBe('/docs/webhooks')
  for (const href of ['/docs/postman.json', '/openapi.json', '#top', 'https://acme.example/docs/x']) {
    expect(insideAddress(href)).toBe(href)
  }
})
