import { describe, expect, test } from 'vitest'
import { checkInteractive } from './check-interactive.ts'
import type { InteractiveRequest, ListRequest } from './interactive-request.ts'

const problems = (request: InteractiveRequest) =>
  checkInteractive(request).map((problem) => `${problem.field} ${problem.code}`)
const x = (length: number) => 'x'.repeat(length)
const buttons = [
  { id: 'am', title: 'Morning' },
  { id: 'pm', title: 'Afternoon' },
]
const rowsOf = (length: number, prefix = 'r') =>
  Array.from({ length }, (_, index) => ({ id: `${prefix}${index}`, title: 'Row' }))
const list = (over: Partial<ListRequest>): ListRequest => ({
  type: 'list',
  body: 'Which?',
  button: 'Options',
  sections: [{ rows: rowsOf(2) }],
  ...over,
})

describe('buttons', () => {
  test('within all limits are accepted', () => {
    const full = [1, 2, 3].map((n) => ({ id: `${n}${x(255)}`, title: `${n}${x(19)}` }))
    const header = { type: 'text', text: x(60) } as const
    expect(problems({ type: 'buttons', header, body: x(1024), footer: x(60), buttons: full })).toEqual([])
    expect(problems({ type: 'buttons', header: null, body: 'When?', footer: null, buttons })).toEqual([])
  })

  test('beyond any limit are refused, all places at once', () => {
    const header = { type: 'text', text: x(61) } as const
    const long = [{ id: x(257), title: x(21) }, ...buttons, { id: 'x', title: ' ' }]
    expect(problems({ type: 'buttons', header, body: x(1025), footer: x(61), buttons: long })).toEqual([
      'header.text too_long',
      'body too_long',
      'footer too_long',
      'buttons too_many_items',
      'buttons[0].id too_long',
      'buttons[0].title too_long',
      'buttons[3].title too_short',
    ])
  })

  test('must exist, differ and have ids without spaces around', () => {
    expect(problems({ type: 'buttons', body: 'When?', buttons: [] })).toEqual(['buttons too_short'])
    const twice = [...buttons, { id: 'am', title: 'Morning' }]
    expect(problems({ type: 'buttons', body: 'When?', buttons: twice })).toEqual([
      'buttons[2].id duplicate',
      'buttons[2].title duplicate',
    ])
    const spaced = [{ id: ' am', title: 'Morning' }]
    expect(problems({ type: 'buttons', body: 'When?', buttons: spaced })).toEqual(['buttons[0].id invalid_format'])
  })

  test('may have a media header with exactly one source', () => {
    const withHeader = (over: { media_id?: string; link?: string; filename?: string }) =>
      problems({ type: 'buttons', body: 'When?', buttons, header: { type: 'image', ...over } })
    expect(withHeader({ media_id: 'med_1' })).toEqual([])
    expect(withHeader({ link: 'https://cdn.example.test/a.png' })).toEqual([])
    expect(withHeader({})).toEqual(['header one_of_required'])
    expect(withHeader({ media_id: 'med_1', link: 'https://a.test/' })).toEqual(['header mutually_exclusive'])
    expect(withHeader({ link: 'http://a.test/a.png' })).toEqual(['header.link https_required'])
    expect(withHeader({ link: 'a.png' })).toEqual(['header.link invalid_url'])
    expect(withHeader({ media_id: 'med_1', filename: 'a.pdf' })).toEqual(['header.filename invalid_value'])
  })
})

describe('lists', () => {
  test('within all limits are accepted', () => {
    const rows = Array.from({ length: 10 }, (_, n) => ({ id: `${n}${x(199)}`, title: x(24), description: x(72) }))
    const sections = [
      { title: x(24), rows: rows.slice(0, 5) },
      { title: 'Rest', rows: rows.slice(5) },
    ]
    expect(problems(list({ body: x(4096), button: x(20), sections }))).toEqual([])
  })

  test('beyond any limit are refused', () => {
    const sections = [{ title: x(25), rows: [{ id: x(201), title: x(25), description: x(73) }] }]
    expect(problems(list({ body: x(4097), button: x(21), sections }))).toEqual([
      'body too_long',
      'button too_long',
      'sections[0].title too_long',
      'sections[0].rows[0].id too_long',
      'sections[0].rows[0].title too_long',
      'sections[0].rows[0].description too_long',
    ])
  })

  test('have 10 rows in all sections together, not in each', () => {
    const sections = [
      { title: 'A', rows: rowsOf(6, 'a') },
      { title: 'B', rows: rowsOf(5, 'b') },
    ]
    expect(problems(list({ sections }))).toEqual(['sections too_many_items'])
    expect(problems(list({ sections: [] }))).toEqual(['sections too_short'])
    expect(problems(list({ sections: [{ rows: [] }] }))).toEqual(['sections[0].rows too_short'])
  })

  test('need section titles only where there are several, and row ids that differ across sections', () => {
    const sections = [{ rows: rowsOf(1) }, { title: 'B', rows: rowsOf(1) }]
    expect(problems(list({ sections }))).toEqual(['sections[0].title required', 'sections[1].rows[0].id duplicate'])
  })

  test('have no media header', () => {
    expect(problems(list({ header: { type: 'image', media_id: 'med_1' } }))).toEqual(['header.type invalid_value'])
  })
})

describe('quick replies', () => {
  const quick = (replies: string[], body = 'Helpful?') => problems({ type: 'quick_replies', body, replies })

  test('are 1 to 10 labels of at most 20 characters that differ', () => {
    expect(quick(['Yes', 'No'])).toEqual([])
    expect(quick([])).toEqual(['replies too_short'])
    expect(quick(rowsOf(11).map((row) => row.id))).toEqual(['replies too_many_items'])
    expect(quick(['Yes', x(21), 'Yes'])).toEqual(['replies[1] too_long', 'replies[2] duplicate'])
  })

  test('allow the longer body of a list once there are more than three', () => {
    expect(quick(['a', 'b', 'c'], x(1025))).toEqual(['body too_long'])
    expect(quick(['a', 'b', 'c', 'd'], x(4096))).toEqual([])
  })
})
