import Type from 'typebox'
import { Pagination } from './envelope.ts'
import { instant, integer, model, named, nullable, object, oneOf, part, ref, text, withHint } from './schema.ts'
import { categories, Language } from './template-draft.ts'

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
export const templateSources = ['catalog', 'api', 'platform'] as const

export const StatusReason = model('TemplateStatusReason', 'Why the template was rejected, paused or disabled.', {
  code: text('Reason as a code, for example `INVALID_FORMAT`.'),
  message: text('Reason in one sentence.'),
  recommendation: nullable(text('What Meta recommends.')),
  until: nullable(instant({ description: 'When a pause ends.' })),
})

/** Parts of templates made elsewhere have forms of their own, so components are described and not closed. */
const Component = named(
  'TemplateComponent',
  Type.Object(
    {
      type: oneOf(['header', 'body', 'footer', 'buttons', 'limited_time_offer', 'carousel', 'other'], {
        description: 'Which part of the template it is.',
      }),
    },
    {
      additionalProperties: true,
      description:
        'One part of the template. Variables are numbered, {{1}} to {{n}}, whatever names they were written with.',
      examples: [{ type: 'body', text: 'Hello {{1}}, your order {{2}} is ready for you.' }],
    },
  ),
)

const Variable = model('TemplateVariable', 'A variable of a template.', {
  component: oneOf(['header', 'body'], { description: 'The part the variable is in.', examples: ['body'] }),
  position: integer('Number of the variable in its part, from 1.', { examples: [1] }),
  name: nullable(text('Name of the variable, if it has one.', { examples: ['name'] })),
  example: nullable(text('Example value, if there is one.', { examples: ['Ana'] })),
})

export const Usage = model(
  'TemplateUsage',
  'Messages of this template in this language, today and the six days before, in UTC.',
  {
    sent: integer('Messages that WhatsApp accepted.', { examples: [120] }),
    delivered: integer('Messages that reached the phone of the customer.', { examples: [117] }),
    read: integer('Messages the customer opened.', { examples: [80] }),
    failed: integer('Messages that will not arrive.', { examples: [3] }),
  },
)

const exampleId = 'tpl_01ka3m7y3t4d0v9v4k6q1t7r2c'
const templateId = text('Id of the template.', { examples: [exampleId] })

const shownContent = {
  parameter_format: oneOf(['positional', 'named'], {
    description:
      'Whether Meta knows its variables by number or by name. A send can give the values in order in both cases.',
  }),
  components: Type.Array(ref(Component), { description: 'The parts of the template.' }),
  variables: Type.Array(ref(Variable), { description: 'Every variable of header and body, in order.' }),
  message_send_ttl_seconds: nullable(
    integer('How long Meta tries to deliver a message of it, in seconds; -1 is 30 days. Null: as long as by default.', {
      examples: [null],
    }),
  ),
}

const PendingEdit = model('TemplatePendingEdit', 'New content of an approved template, under review.', {
  ...shownContent,
  submitted_at: instant({ description: 'When it was submitted for review.' }),
})

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

export const Template = model('Template', 'A message template in one language.', record)
const ListedTemplate = model('ListedTemplate', 'A message template in one language, with its use.', {
  ...record,
  last_7_days: ref(Usage),
})

export const TemplateList = model('TemplateList', 'A page of templates.', {
  templates: Type.Array(ref(ListedTemplate), { description: 'The templates of this page.' }),
  pagination: ref(Pagination),
})

export const TemplateChange = part('One change of a template.', {
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
})

export const TemplateWithHistory = model('TemplateWithHistory', 'A message template with its use and its history.', {
  ...record,
  last_7_days: ref(Usage),
  history: Type.Array(TemplateChange, { description: 'The last 50 changes, newest first.' }),
})

export const DeletedTemplate = model('DeletedTemplate', 'The template that was deleted.', {
  id: templateId,
  deleted: Type.Literal(true, { description: 'Always true.' }),
})
export const TemplatePath = object({
  template_id: text('Id of the template.', { minLength: 1, maxLength: 255, examples: [exampleId] }),
})

export const TemplateQuery = object({
  status: Type.Optional(
    text('Only templates with one of these statuses, comma separated. Default: all but `deleted`.', {
      maxLength: 200,
      pattern: `^(?:${templateStatuses.join('|')})(?:,(?:${templateStatuses.join('|')}))*$`,
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
