import { expect, test } from 'vitest'
import { withKnownParts } from '../stored-template.ts'
import type { TemplateComponent } from './template-types.ts'

test('parts stored under the name of Meta are read as those they are now', () => {
  const place = { type: 'header', format: 'other', platform_format: 'location' } as const
  const other = (platform_type: string, more = {}) => ({ type: 'other' as const, platform_type, text: '', ...more })
  const stored: TemplateComponent[] = [
    place,
    { type: 'buttons', buttons: [other('copy_code', { example: 'SAVE10' }), other('flow'), other('voice_call')] },
  ]
  expect(withKnownParts(stored)).toEqual([
    { type: 'header', format: 'location' },
    {
      type: 'buttons',
      buttons: [{ type: 'copy_code', text: '', example: 'SAVE10' }, { type: 'flow', text: '' }, other('voice_call')],
    },
  ])
})
