import { describe, expect, test } from 'vitest'
import { findComponent } from '../content/template-types.ts'
import { catalogTemplates } from './catalog.ts'

const bodies = {
  order_confirmation: 'Hi {{1}}, your order {{2}} is confirmed. Total: {{3}}.',
  shipping_update: 'Hi {{1}}, your order is on its way. Tracking number {{2}}, thank you.',
  appointment_reminder: 'Hi {{1}}, we expect you on {{2}} at {{3}}.',
  payment_received: 'Hi {{1}}, we received {{2}} for invoice {{3}}.',
}
const names = {
  order_confirmation: ['name', 'order_id', 'total'],
  shipping_update: ['name', 'tracking_number'],
  appointment_reminder: ['name', 'date', 'time'],
  payment_received: ['name', 'amount', 'invoice_id'],
}

describe.each(['sandbox', 'cloud'] as const)('the catalog of a %s channel', (kind) => {
  test('has the four templates of the specification in en and en_US, with their variables in order', () => {
    const templates = catalogTemplates(kind).filter(({ name }) => name !== 'hello_world')
    expect(templates.map(({ name, language }) => `${name} ${language}`).sort()).toEqual(
      Object.keys(bodies)
        .flatMap((name) => [`${name} en`, `${name} en_US`])
        .sort(),
    )
    for (const template of templates) {
      const name = template.name as keyof typeof bodies
      expect(findComponent(template, 'body')?.text).toBe(bodies[name])
      expect(template.variables.map((variable) => variable.name)).toEqual(names[name])
      expect(template).toMatchObject({ category: 'utility', source: 'catalog' })
    }
  })
})

describe('the catalog', () => {
  test('is approved and richer on the sandbox: an optional image header and an optional url button', () => {
    for (const template of catalogTemplates('sandbox').filter(({ name }) => name !== 'hello_world')) {
      expect(template.status).toBe('approved')
      expect(findComponent(template, 'header')).toMatchObject({ format: 'image', optional: true })
      expect(findComponent(template, 'buttons')?.buttons).toMatchObject([{ type: 'url', optional: true }])
    }
  })

  test('is a draft of bare bodies on a cloud channel', () => {
    for (const template of catalogTemplates('cloud')) {
      expect(template.status).toBe('draft')
      expect(template.components.map(({ type }) => type)).toEqual(['body'])
    }
  })

  test('has hello_world without variables on the sandbox alone', () => {
    expect(catalogTemplates('sandbox').filter(({ name }) => name === 'hello_world')).toMatchObject([
      { language: 'en_US', variables: [], status: 'approved' },
    ])
    expect(catalogTemplates('cloud').some(({ name }) => name === 'hello_world')).toBe(false)
  })
})
