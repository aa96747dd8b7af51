import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { interactiveContent } from './check-interactive.ts'

const quick = (replies: readonly string[]) => interactiveContent({ type: 'quick_replies', body: 'Well?', replies })
const idsOf = (replies: readonly string[]) => {
  const content = quick(replies)
  if (content.kind === 'buttons') return content.buttons.map((button) => button.id)
  return content.kind === 'list' ? content.sections[0]?.rows.map((row) => row.id) : undefined
}

describe('quick replies', () => {
  test('become buttons up to three and a list beyond', () => {
    expect(quick(['Yes', 'No', 'Later'])).toEqual({
      kind: 'buttons',
      header: null,
      body: 'Well?',
      footer: null,
      buttons: [
        { id: 'yes', title: 'Yes' },
        { id: 'no', title: 'No' },
        { id: 'later', title: 'Later' },
      ],
    })
    expect(quick(['1', '2', '3', '4'])).toMatchObject({
      kind: 'list',
      button: 'Options',
      sections: [{ title: null, rows: [{ id: '1', title: '1', description: null }, {}, {}, {}] }],
    })
  })

  test('get ids made from their labels', () => {
    expect(idsOf(['Another day', 'Não!', 'はい'])).toEqual(['another_day', 'nao', 'はい'])
    expect(idsOf(['👍', 'Yes'])).toEqual(['reply_1', 'yes'])
  })

  test('get different ids even where labels read alike', () => {
    expect(idsOf(['Yes!', 'Yes?', 'Yes 2'])).toEqual(['yes', 'yes_2', 'yes_2_2'])
    const anyLabels = fc.uniqueArray(fc.string({ minLength: 1, maxLength: 20, unit: 'grapheme' }), {
      minLength: 1,
      maxLength: 10,
    })
    fc.assert(
      fc.property(anyLabels, (labels) => {
        const ids = idsOf(labels) ?? []
        expect(new Set(ids).size).toBe(labels.length)
        for (const id of ids) expect(id).toMatch(/\S/)
      }),
    )
  })
})

describe('buttons and lists', () => {
  test('are passed on as given, with absent parts as null', () => {
    const buttons = [{ id: 'am', title: 'Morning' }]
    const header = { type: 'text', text: 'Delivery' } as const
    expect(interactiveContent({ type: 'buttons', header, body: 'When?', footer: 'Acme', buttons })).toEqual({
      kind: 'buttons',
      header,
      body: 'When?',
      footer: 'Acme',
      buttons,
    })
    const sections = [
      {
        rows: [
          { id: 'a', title: 'A', description: 'First' },
          { id: 'b', title: 'B' },
        ],
      },
    ]
    expect(interactiveContent({ type: 'list', body: 'Which?', button: 'Show', sections })).toEqual({
      kind: 'list',
      header: null,
      body: 'Which?',
      footer: null,
      button: 'Show',
      sections: [
        {
          title: null,
          rows: [
            { id: 'a', title: 'A', description: 'First' },
            { id: 'b', title: 'B', description: null },
          ],
        },
      ],
    })
  })
})
