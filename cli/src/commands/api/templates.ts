import { type Command, textOption } from '../../command.ts'
import { gatewayCommand } from '../../gateway/gateway-command.ts'
import { listCommand } from '../../gateway/list-command.ts'
import { jsonFile } from '../../read-json.ts'

type Template = Record<'id' | 'name' | 'language' | 'category' | 'status', string>

export const templates: readonly Command[] = [
  listCommand<Template>({
    name: 'templates list',
    summary: 'List templates.',
    examples: ['postern templates list --status approved', 'postern templates list --search order --json'],
    path: () => '/v1/chat/templates',
    member: 'templates',
    filters: {
      status: { query: 'status', help: 'Such as approved, pending or rejected.' },
      category: { query: 'category', help: 'marketing, utility or authentication.' },
      language: { query: 'language', help: 'Such as en_US.' },
      name: { query: 'name', help: 'The exact name.' },
      search: { query: 'search', help: 'Part of the name or text.' },
    },
    columns: {
      name: ({ name }) => name,
      language: ({ language }) => language,
      category: ({ category }) => category,
      status: ({ status }) => status,
      id: ({ id }) => id,
    },
  }),
  gatewayCommand({
    name: 'templates get',
    summary: 'Show one template.',
    examples: ['postern templates get tpl_01ka3m7y3t4d0v9v4k6q1t7r2c'],
    words: ['template id'],
    call: ([id]) => ({ method: 'GET', path: `/v1/chat/templates/${id}` }),
  }),
  gatewayCommand({
    name: 'templates create',
    summary: 'Create a template and submit it to Meta for review.',
    examples: [
      'postern templates create --file order-ready.json',
      'postern templates create --file - < order-ready.json',
    ],
    options: { file: textOption('A file with the body of POST /v1/chat/templates; - reads standard input.') },
    call: (_, flags) => ({ method: 'POST', path: '/v1/chat/templates', body: jsonFile(flags, 'template.json') }),
  }),
  gatewayCommand({
    name: 'templates update',
    summary: 'Edit a template and submit it to Meta again. Without --file: submit a draft as it is.',
    examples: [
      'postern templates update tpl_01ka3m7y3t4d0v9v4k6q1t7r2c --file order-ready.json',
      'postern templates update tpl_01ka3m7y3t4d0v9v4k6q1t7r2c',
    ],
    words: ['template id'],
    options: {
      file: textOption('A file with the body of PUT /v1/chat/templates/{template_id}; - reads standard input.'),
    },
    call: ([id], flags) => ({
      method: 'PUT',
      path: `/v1/chat/templates/${id}`,
      body: flags.file === undefined ? {} : jsonFile(flags, 'template.json'),
    }),
  }),
  gatewayCommand({
    name: 'templates delete',
    summary: 'Delete a template, here and at Meta.',
    examples: ['postern templates delete tpl_01ka3m7y3t4d0v9v4k6q1t7r2c --yes'],
    words: ['template id'],
    warning: 'The template is deleted at Meta too, and its name cannot be used again for 30 days.',
    call: ([id]) => ({ method: 'DELETE', path: `/v1/chat/templates/${id}` }),
  }),
]
