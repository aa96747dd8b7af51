import Type from 'typebox'
import { Pagination } from './envelope.ts'
import { instant, integer, named, nullable, object, oneOf, optional, ref, text, withHint } from './schema.ts'

export const templateStatuses = [
  'draft',
  'pending',
  'approved',
  'rejected',
  'paused',
  'disabled',
  'archived',
  'deleted',
] as const
const categories = ['marketing', 'utility', 'authentication'] as const
export const templateSources = ['catalog', 'api', 'platform'] as const

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
  description: 'Language code of the template.',
  examples: ['en_US'],
  ...withHint('invalid_language', 'Write the language as en, en_US or pt_BR.'),
})

const VariableDraft = Type.Unsafe<string | { name?: string | null; example?: string | null }>({
  anyOf: [
    { type: 'string', maxLength: 1_024 },
    object({
      name: optional(text('Name of the variable, for your own use or for {{name}} in the text.', { maxLength: 64 })),
      param_name: optional(text("Another name for `name`, as in Meta's form.", { maxLength: 64 })),
      example: optional(text('Example value, which Meta needs for the review.', { maxLength: 1_024 })),
    }),
  ],
})

const ButtonDraft = object({
  type: word(['quick_reply', 'url', 'phone_number', 'otp'], {
    description: '`quick_reply`, `url`, `phone_number`, or `otp` for a one-time code; in either case.',
  }),
  text: optional(text('Text on the button, at most 25 characters.', { maxLength: 256 })),
  url: optional(text('Address of a `url` button. It may end in one variable, {{1}}.', { maxLength: 2_048 })),
  phone_number: optional(text('Number of a `phone_number` button, in international format.', { maxLength: 32 })),
  example: Type.Optional(Type.Unknown({ description: 'Example value for the variable of the url.' })),
  otp_type: optional(text('Kind of an `otp` button, for example `copy_code`.', { maxLength: 32 })),
  optional: optional(Type.Boolean({ description: 'On a sandbox channel: a send may leave the value out.' })),
})

export const TemplateComponentDraft = named(
  'TemplateComponentDraft',
  object(
    {
      type: word(['header', 'body', 'footer', 'buttons'], {
        description: '`header`, `body`, `footer` or `buttons`; in either case.',
      }),
      format: optional(
        word(['text', 'image', 'video', 'document'], { description: 'Format of a header. Default: text.' }),
      ),
      text: optional(
        Type.String({
          maxLength: 4_096,
          description: 'Text of a header, body or footer, with {{1}}, {{2}} … or {{name}} for variables.',
        }),
      ),
      variables: optional(
        Type.Array(VariableDraft, { maxItems: 100, description: 'A name and an example for each variable, in order.' }),
      ),
      example: Type.Optional(
        Type.Unknown({
          description:
            "Example of a media header: an object with `link`, `media_id` or `handle`. For texts Meta's own form.",
        }),
      ),
      optional: optional(Type.Boolean({ description: 'On a sandbox channel: a send may leave the header out.' })),
      add_security_recommendation: optional(
        Type.Boolean({
          description: 'In the body of an authentication template: adds the advice not to share the code.',
        }),
      ),
      code_expiration_minutes: optional(
        integer('In the footer of an authentication template: how long the code is valid.', {
          minimum: 1,
          maximum: 90,
        }),
      ),
      buttons: optional(
        Type.Array(ButtonDraft, { maxItems: 20, description: 'The buttons of a component of type `buttons`.' }),
      ),
    },
    { description: 'One part of a template.' },
  ),
)

const content = {
  category: optional(
    word(categories, {
      description: '`marketing`, `utility` or `authentication`; in either case. Default: `utility`.',
    }),
  ),
  body: optional(
    Type.String({ maxLength: 4_096, description: 'Text of the body; a short form for one component of type `body`.' }),
  ),
  components: optional(
    Type.Array(ref(TemplateComponentDraft), { maxItems: 10, description: 'The parts of the template.' }),
  ),
}

const exampleBody = (text: string) => ({
  type: 'body',
  text,
  variables: [
    { name: 'name', example: 'Ana' },
    { name: 'order_id', example: 'A-1001' },
  ],
})

const exampleDraft = {
  name: 'order_ready',
  language: 'en_US',
  category: 'utility',
  components: [exampleBody('Hello {{1}}, your order {{2}} is ready for you.')],
}

// Other words: Meta accepts no second template with the same text.
const exampleChange = { components: [exampleBody('Hello {{1}}, your order {{2}} can be collected from today.')] }

export const TemplateDraft = named(
  'TemplateDraft',
  object(
    {
      name: Type.String({
        maxLength: 1_024,
        description: 'Name of the template: lower-case letters, digits and underscores, at most 512 characters.',
      }),
      language: optional(Language),
      ...content,
      submit: optional(
        Type.Boolean({
          description: 'False keeps the template as a draft. Default: true, which submits it to Meta for review.',
        }),
      ),
    },
    { description: 'A new template.', examples: [exampleDraft] },
  ),
)

export const TemplateChanges = named(
  'TemplateChanges',
  object(
    { ...content, submit: optional(Type.Boolean({ description: 'False keeps a draft as a draft. Default: true.' })) },
    { description: 'The fields to change. Fields that are left out stay as they are.', examples: [exampleChange] },
  ),
)

export const StatusReason = named(
  'TemplateStatusReason',
  object(
    {
      code: text('Reason as a code, for example `INVALID_FORMAT`.'),
      message: text('Reason in one sentence.'),
      recommendation: nullable(text('What Meta recommends.')),
      until: nullable(instant({ description: 'When a pause ends.' })),
    },
    { description: 'Why the template was rejected, paused or disabled.' },
  ),
)

/** Parts of templates made elsewhere have forms of their own, so components are described and not closed. */
const Component = Type.Object(
  {
    type: oneOf(['header', 'body', 'footer', 'buttons', 'other'], { description: 'Which part of the template it is.' }),
  },
  {
    additionalProperties: true,
    description:
      'One part of the template. Variables are numbered, {{1}} to {{n}}, whatever names they were written with.',
    examples: [{ type: 'body', text: 'Hello {{1}}, your order {{2}} is ready for you.' }],
  },
)

const Variable = object({
  component: oneOf(['header', 'body'], { description: 'The part the variable is in.', examples: ['body'] }),
  position: integer('Number of the variable in its part, from 1.', { examples: [1] }),
  name: nullable(text('Name of the variable, if it has one.', { examples: ['name'] })),
  example: nullable(text('Example value, if there is one.', { examples: ['Ana'] })),
})

export const Usage = object(
  {
    sent: integer('Messages that WhatsApp accepted.', { examples: [120] }),
    delivered: integer('Messages that reached the phone of the customer.', { examples: [117] }),
    read: integer('Messages the customer opened.', { examples: [80] }),
    failed: integer('Messages that will not arrive.', { examples: [3] }),
  },
  { description: 'Messages of this template in this language, today and the six days before, in UTC.' },
)

const exampleId = 'tpl_01ka3m7y3t4d0v9v4k6q1t7r2c'
const templateId = text('Id of the template.', { examples: [exampleId] })

const shownContent = {
  parameter_format: oneOf(['positional', 'named'], {
    description:
      'Whether Meta knows its variables by number or by name. Templates made with this API are `positional`, also when you name their variables.',
  }),
  components: Type.Array(Component, { description: 'The parts of the template.' }),
  variables: Type.Array(Variable, { description: 'Every variable of header and body, in order.' }),
}

const PendingEdit = named(
  'TemplatePendingEdit',
  object(
    { ...shownContent, submitted_at: instant({ description: 'When it was submitted for review.' }) },
    { description: 'New content of an approved template, under review.' },
  ),
)

const record = {
  id: templateId,
  name: text('Name of the template.', { examples: ['order_ready'] }),
  language: text('Language code.', { examples: ['en_US'] }),
  category: oneOf(categories, { description: 'Category, which sets the price of a message.', examples: ['utility'] }),
  next_category: nullable(
    oneOf(categories, {
      description: 'Category that Meta has announced for the template; null when there is none.',
      examples: [null],
    }),
  ),
  status: oneOf(templateStatuses, {
    description: 'Only an `approved` template can be sent; it stays approved while an edit of it is under review.',
    examples: ['approved'],
  }),
  status_reason: Type.Unsafe<unknown>({
    anyOf: [ref(StatusReason), { type: 'null' }],
    description: 'Why the template was rejected, paused or disabled; null otherwise.',
    examples: [null],
  }),
  quality: nullable(oneOf(['high', 'medium', 'low'], { description: 'Quality rating by Meta, if there is one.' })),
  source: oneOf(templateSources, {
    description: 'Where the template was created: in the built-in `catalog`, with this `api`, or at Meta (`platform`).',
    examples: ['api'],
  }),
  channel: nullable(
    oneOf(['sandbox', 'cloud'], { description: 'Where the template exists: in the `sandbox` or at Meta (`cloud`).' }),
  ),
  ...shownContent,
  pending_edit: Type.Unsafe<unknown>({
    anyOf: [ref(PendingEdit), { type: 'null' }],
    description:
      'The edit of an approved template that Meta is reviewing; null when there is none. Sends use the approved content until the review is over.',
    examples: [null],
  }),
  version: integer('Version of the content; each change of the content adds 1.', { examples: [1] }),
  channel_template_id: nullable(text('Id of the template at Meta.', { examples: ['1234567890123456'] })),
  created_at: instant({ description: 'When the gateway first recorded the template.' }),
  updated_at: instant({ description: 'When the template last changed.' }),
  submitted_at: nullable(instant({ description: 'When the template was last submitted for review.' })),
  reviewed_at: nullable(instant({ description: 'When Meta last decided about the template.' })),
  last_used_at: nullable(instant({ description: 'When the template was last sent.' })),
}

export const Template = named('Template', object(record, { description: 'A message template in one language.' }))
const ListedTemplate = named(
  'ListedTemplate',
  object({ ...record, last_7_days: Usage }, { description: 'A message template in one language, with its use.' }),
)

export const TemplateList = named(
  'TemplateList',
  object(
    {
      templates: Type.Array(ref(ListedTemplate), { description: 'The templates of this page.' }),
      pagination: ref(Pagination),
    },
    { description: 'A page of templates.' },
  ),
)

export const TemplateChange = object(
  {
    kind: oneOf(['created', 'content', 'status', 'category', 'quality'], {
      description: 'What changed.',
      examples: ['status'],
    }),
    cause: oneOf(['api', 'catalog', 'callback', 'sync'], {
      description:
        'Where the change came from: this `api`, the built-in `catalog`, a `callback` of Meta, or a `sync` with Meta.',
      examples: ['callback'],
    }),
    status: oneOf(templateStatuses, { description: 'Status after the change.', examples: ['approved'] }),
    version: integer('Version of the content after the change.', { examples: [1] }),
    changes: Type.Array(
      object({
        field: text('Name of the field.', { examples: ['status'] }),
        from: Type.Unknown({ description: 'Value before the change.', examples: ['pending'] }),
        to: Type.Unknown({ description: 'Value after the change.', examples: ['approved'] }),
      }),
      { description: 'The fields that changed.' },
    ),
    at: instant({ description: 'When it changed.' }),
  },
  { description: 'One change of a template.' },
)

export const TemplateWithHistory = named(
  'TemplateWithHistory',
  object(
    {
      ...record,
      last_7_days: Usage,
      history: Type.Array(TemplateChange, { description: 'The last 50 changes, newest first.' }),
    },
    { description: 'A message template with its use and its history.' },
  ),
)

export const DeletedTemplate = named(
  'DeletedTemplate',
  object(
    { id: templateId, deleted: Type.Literal(true, { description: 'Always true.' }) },
    { description: 'The template that was deleted.' },
  ),
)
export const TemplatePath = object({
  template_id: text('Id of the template.', { minLength: 1, maxLength: 255, examples: [exampleId] }),
})

export const TemplateQuery = object({
  status: Type.Optional(
    Type.String({
      maxLength: 200,
      pattern: `^(?:${templateStatuses.join('|')})(?:,(?:${templateStatuses.join('|')}))*$`,
      description: 'Only templates with one of these statuses, comma separated. Default: all but `deleted`.',
      ...withHint('invalid_value', `Use one or several of: ${templateStatuses.join(', ')}.`),
    }),
  ),
  category: Type.Optional(oneOf(categories, { description: 'Only templates of this category.' })),
  language: Type.Optional({ ...Language, description: 'Only templates in this language.' }),
  name: Type.Optional(text('Only templates with exactly this name.', { maxLength: 512 })),
  search: Type.Optional(text('Only templates with this text in their name or body.', { maxLength: 200 })),
  source: Type.Optional(
    oneOf(templateSources, {
      description: 'Only templates from the `catalog`, made with this `api`, or made at Meta (`platform`).',
    }),
  ),
  limit: Type.Optional(integer('Templates per page.', { minimum: 1, maximum: 100, default: 25 })),
  cursor: Type.Optional(text('`next_cursor` of the page before.', { minLength: 1, maxLength: 1_024 })),
})

const examplePreview = {
  components: [{ type: 'body', parameters: ['Ana', 'A-1001'].map((value) => ({ type: 'text', text: value })) }],
}

export const PreviewRequest = named(
  'TemplatePreviewRequest',
  object(
    {
      components: optional(
        Type.Array(Type.Unknown(), {
          maxItems: 20,
          description: 'Values for the variables, as in a send. Default: the examples of the template.',
        }),
      ),
    },
    { description: 'May be empty.', examples: [examplePreview] },
  ),
)

export const TemplatePreview = named(
  'TemplatePreview',
  object(
    {
      header: Type.Unsafe<unknown>({
        anyOf: [
          object({
            kind: Type.Literal('text', { description: 'A header of text.' }),
            text: text('The text, with values.'),
          }),
          object({
            kind: oneOf(['image', 'video', 'document'], { description: 'A header with a file.' }),
            link: Type.Optional(text('Address of the file.')),
            media_id: Type.Optional(text('Id of the uploaded file.')),
            filename: Type.Optional(text('Name of a document.')),
          }),
          { type: 'null' },
        ],
        description: 'The header; null when the template has none.',
        examples: [null],
      }),
      text: text('The body with values.', { examples: ['Hello Ana, your order A-1001 is ready for you.'] }),
      footer: nullable(text('The footer; null when the template has none.', { examples: [null] })),
      buttons: Type.Array(
        object({
          type: text('Kind of button.', { examples: ['url'] }),
          text: text('Text on the button.', { examples: ['Track'] }),
          value: nullable(
            text('Address or phone number of the button, with values.', {
              examples: ['https://shop.example.com/a-1001'],
            }),
          ),
        }),
        { description: 'The buttons, in order.' },
      ),
    },
    { description: 'The template as the customer would see it.' },
  ),
)
