import { describe, expect, test } from 'vitest'
import { readChanges, readSentence } from './read-changes.ts'

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

  test('shows code, names of the console and the titles of links', () => {
    expect(readSentence('`message.*` under **Webhooks** ([docs/events.md](docs/events.md)).')).toEqual([
      { kind: 'code', text: 'message.*' },
      { kind: 'text', text: ' under ' },
      { kind: 'name', text: 'Webhooks' },
      { kind: 'text', text: ' (' },
      { kind: 'text', text: 'docs/events.md' },
      { kind: 'text', text: ').' },
    ])
  })
})
