import Type from 'typebox'
import { Pagination } from './envelope.ts'
import { instant, named, nullable, object, oneOf, optional, ref, withHint } from './schema.ts'

const statuses = ['draft', 'pending', 'approved', 'rejected', 'paused', 'disabled', 'archived', 'deleted'] as const
const categories = ['marketing', 'utility', 'authentication'] as const
const sources = ['catalog', 'api', 'platform'] as const

/** Words of the platform come in either case. */
const word = (words: readonly string[], options: Record<string, unknown> = {}) =>
  Type.String({
    pattern: `^(?:${words.map(anyCase).join('|')})$`,
    ...withHint('invalid_value', `Use ${words.join(', ')}.`),
    ...options,
  })

function anyCase(text: string): string {
  return text.replace(/[a-z]/g, (letter) => `[${letter}${letter.toUpperCase()}]`)
}

const Language = Type.String({
  pattern: '^[A-Za-z]{2,3}(?:[_-][A-Za-z]{2})?$',
  examples: ['en_US'],
  ...withHint('invalid_language', 'Write the language as en, en_US or pt_BR.'),
})

const VariableDraft = Type.Unsafe<string | { name?: string | null; example?: string | null }>({
  anyOf: [
    { type: 'string', maxLength: 1_024 },
    object({
      name: optional(Type.String({ maxLength: 64 })),
      param_name: optional(Type.String({ maxLength: 64 })),
      example: optional(Type.String({ maxLength: 1_024 })),
    }),
  ],
})

const ButtonDraft = object({
  type: word(['quick_reply', 'url', 'phone_number', 'otp']),
  text: optional(Type.String({ maxLength: 256, description: 'At most 25 characters.' })),
  url: optional(Type.String({ maxLength: 2_048, description: 'May end in one variable, {{1}}.' })),
  phone_number: optional(Type.String({ maxLength: 32 })),
  example: Type.Optional(Type.Unknown({ description: 'A value for the variable of the url.' })),
  otp_type: optional(Type.String({ maxLength: 32 })),
  optional: optional(Type.Boolean({ description: 'On a sandbox channel: a send may leave the value out.' })),
})

export const TemplateComponentDraft = named(
  'TemplateComponentDraft',
  object({
    type: word(['header', 'body', 'footer', 'buttons']),
    format: optional(word(['text', 'image', 'video', 'document'], { description: 'Of a header; text without it.' })),
    text: optional(Type.String({ maxLength: 4_096, description: 'With {{1}}, {{2}} … or {{name}} for variables.' })),
    variables: optional(
      Type.Array(VariableDraft, { maxItems: 100, description: 'A name and an example for each variable, in order.' }),
    ),
    example: Type.Optional(
      Type.Unknown({ description: "Of a media header {link}, {media_id} or {handle}; else Meta's own form." }),
    ),
    optional: optional(Type.Boolean({ description: 'On a sandbox channel: a send may leave the header out.' })),
    add_security_recommendation: optional(Type.Boolean({ description: 'Of the body of an authentication template.' })),
    code_expiration_minutes: optional(Type.Integer({ minimum: 1, maximum: 90 })),
    buttons: optional(Type.Array(ButtonDraft, { maxItems: 20 })),
  }),
)

const content = {
  category: optional(word(categories, { description: 'Utility without it.' })),
  body: optional(Type.String({ maxLength: 4_096, description: 'Short for one component of type body.' })),
  components: optional(Type.Array(ref(TemplateComponentDraft), { maxItems: 10 })),
}

const exampleDraft = {
  name: 'order_ready',
  language: 'en_US',
  category: 'utility',
  components: [
    {
      type: 'body',
      text: 'Hello {{1}}, your order {{2}} is ready for you.',
      variables: [
        { name: 'name', example: 'Ana' },
        { name: 'order_id', example: 'A-1001' },
      ],
    },
  ],
}

export const TemplateDraft = named(
  'TemplateDraft',
  object(
    {
      name: Type.String({ maxLength: 1_024, description: 'Lower-case letters, digits and underscores, at most 512.' }),
      language: optional(Language),
      ...content,
      submit: optional(
        Type.Boolean({ description: 'False keeps it as a draft; otherwise it goes to review at once.' }),
      ),
    },
    { examples: [exampleDraft] },
  ),
)

export const TemplateChanges = named(
  'TemplateChanges',
  object({ ...content, submit: optional(Type.Boolean({ description: 'False only for a draft that stays one.' })) }),
)

export const StatusReason = named(
  'TemplateStatusReason',
  object({
    code: Type.String(),
    message: Type.String(),
    recommendation: nullable(Type.String()),
    until: nullable(instant({ description: 'When a timed pause ends.' })),
  }),
)

/** Parts of templates made elsewhere have forms of their own, so components are described and not closed. */
const Component = Type.Object(
  { type: oneOf(['header', 'body', 'footer', 'buttons', 'other']) },
  { additionalProperties: true, description: 'Texts hold {{1}} to {{n}}, whatever names they were written with.' },
)

const Variable = object({
  component: oneOf(['header', 'body']),
  position: Type.Integer(),
  name: nullable(Type.String()),
  example: nullable(Type.String()),
})

const Usage = object(
  { sent: Type.Integer(), delivered: Type.Integer(), read: Type.Integer(), failed: Type.Integer() },
  { description: 'Of this language, today and the six days before it in UTC.' },
)

const record = {
  id: Type.String(),
  name: Type.String(),
  language: Type.String(),
  category: oneOf(categories),
  next_category: nullable(oneOf(categories)),
  status: oneOf(statuses),
  status_reason: Type.Unsafe<unknown>({ anyOf: [ref(StatusReason), { type: 'null' }] }),
  quality: nullable(oneOf(['high', 'medium', 'low'])),
  source: oneOf(sources),
  channel: nullable(oneOf(['sandbox', 'cloud'])),
  parameter_format: oneOf(['positional', 'named']),
  components: Type.Array(Component),
  variables: Type.Array(Variable),
  version: Type.Integer({ description: 'Counts the contents it has had, from 1.' }),
  channel_template_id: nullable(Type.String()),
  created_at: instant(),
  updated_at: instant(),
  submitted_at: nullable(instant()),
  reviewed_at: nullable(instant()),
  last_used_at: nullable(instant()),
}

export const Template = named('Template', object(record))
const ListedTemplate = named('ListedTemplate', object({ ...record, last_7_days: Usage }))

export const TemplateList = named(
  'TemplateList',
  object({ templates: Type.Array(ref(ListedTemplate)), pagination: ref(Pagination) }),
)

export const TemplateChange = object({
  kind: oneOf(['created', 'content', 'status', 'category', 'quality']),
  cause: oneOf(['api', 'catalog', 'callback', 'sync']),
  status: oneOf(statuses),
  version: Type.Integer(),
  changes: Type.Array(object({ field: Type.String(), from: Type.Unknown(), to: Type.Unknown() })),
  at: instant(),
})

export const TemplateWithHistory = named(
  'TemplateWithHistory',
  object({
    ...record,
    last_7_days: Usage,
    history: Type.Array(TemplateChange, { description: 'The last 50 changes, newest first.' }),
  }),
)

export const DeletedTemplate = named('DeletedTemplate', object({ id: Type.String(), deleted: Type.Literal(true) }))
export const TemplatePath = object({ template_id: Type.String({ minLength: 1, maxLength: 255 }) })

export const TemplateQuery = object({
  status: Type.Optional(
    Type.String({
      maxLength: 200,
      pattern: `^(?:${statuses.join('|')})(?:,(?:${statuses.join('|')}))*$`,
      description: 'One or several, comma separated; everything but deleted without it.',
      ...withHint('invalid_value', `Use one or several of: ${statuses.join(', ')}.`),
    }),
  ),
  category: Type.Optional(oneOf(categories)),
  language: Type.Optional(Language),
  name: Type.Optional(Type.String({ maxLength: 512, description: 'Exactly.' })),
  search: Type.Optional(Type.String({ maxLength: 200, description: 'Part of the name or of the body.' })),
  source: Type.Optional(oneOf(sources)),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 25 })),
  cursor: Type.Optional(Type.String({ minLength: 1, maxLength: 1_024 })),
})

export const PreviewRequest = named(
  'TemplatePreviewRequest',
  object({
    components: optional(
      Type.Array(Type.Unknown(), { maxItems: 20, description: 'As in a send; the examples without it.' }),
    ),
  }),
)

export const TemplatePreview = named(
  'TemplatePreview',
  object({
    header: Type.Unsafe<unknown>({
      anyOf: [
        object({ kind: Type.Literal('text'), text: Type.String() }),
        object({
          kind: oneOf(['image', 'video', 'document']),
          link: Type.Optional(Type.String()),
          media_id: Type.Optional(Type.String()),
          filename: Type.Optional(Type.String()),
        }),
        { type: 'null' },
      ],
    }),
    text: Type.String(),
    footer: nullable(Type.String()),
    buttons: Type.Array(object({ type: Type.String(), text: Type.String(), value: nullable(Type.String()) })),
  }),
)
