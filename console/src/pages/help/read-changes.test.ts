import { describe, expect, test } from 'vitest'
import { readChanges } from './read-changes.ts'

describe('the changelog', () => {
  test('is read as headings, lists and paragraphs, with wrapped lines joined', () => {
    const text = '# Changes\n\nNewest first.\n\n## 1.2\n\n### Added\n\n- One thing,\n  told at length.\n- Another.\n'
    expect(readChanges(text)).toEqual([
      { kind: 'text', text: 'Newest first.' },
      { kind: 'heading', text: '1.2' },
      { kind: 'subheading', text: 'Added' },
      { kind: 'list', items: ['One thing, told at length.', 'Another.'] },
    ])
  })
})
