import { formatInstant } from '../lib/instant.ts'
import { newTemplate, type StoredTemplate, toRecord } from './stored-template.ts'

export type ChangeKind = 'created' | 'content' | 'status' | 'category' | 'quality'
export type FieldChange = { field: string; from: unknown; to: unknown }
export type EventfulChange = { kind: ChangeKind; diff: readonly FieldChange[]; number: number; at: number }

/** What the events of a template say: the record as the API shows it, and what it was before. */
export function templateEvent(
  template: StoredTemplate,
  { kind, diff, number, at }: EventfulChange,
): Record<string, unknown> {
  const previous = (field: string, now: unknown) => diff.find((change) => change.field === field)?.from ?? now
  return {
    ...toRecord(template),
    previous_status: previous('status', template.status),
    change: kind,
    previous_category: previous('category', template.category),
    previous_quality: kind === 'quality' ? previous('quality', null) : template.quality,
    sequence: number,
    timestamp: formatInstant(at),
  }
}

/** A change that never was, for those who try their endpoint. */
export function sampleTemplateEvent(
  at: number,
  about: 'status' | 'quality' | 'category' | 'announced' = 'status',
): Record<string, unknown> {
  const content = {
    name: 'order_confirmation',
    language: 'en_US',
    category: 'utility',
    parameter_format: 'positional',
    components: [{ type: 'body', text: 'Hi {{1}}, your order is confirmed.' }],
    variables: [{ component: 'body', position: 1, name: 'name', example: 'Ana' }],
  } as const
  const owner = { account_id: '', channel_id: 'sample', channel_kind: 'sandbox', source: 'api' } as const
  const template = newTemplate(content, { id: `tpl_${'0'.repeat(26)}`, ...owner }, at)
  const approved = { ...template, status: 'approved', submitted_at: at, reviewed_at: at } as const
  if (about === 'quality') {
    const diff = [{ field: 'quality', from: 'high', to: 'low' }]
    return templateEvent({ ...approved, quality: 'low' }, { kind: 'quality', diff, number: 2, at })
  }
  if (about === 'category') {
    const diff = [{ field: 'category', from: 'utility', to: 'marketing' }]
    return templateEvent({ ...approved, category: 'marketing' }, { kind: 'category', diff, number: 2, at })
  }
  if (about === 'announced') {
    const diff = [{ field: 'next_category', from: null, to: 'marketing' }]
    return templateEvent({ ...approved, next_category: 'marketing' }, { kind: 'category', diff, number: 2, at })
  }
  const diff = [{ field: 'status', from: 'pending', to: 'approved' }]
  return templateEvent(approved, { kind: 'status', diff, number: 1, at })
}
