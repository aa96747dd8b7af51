import Type from 'typebox'
import { ownNumber, ProfileQuery } from '../profile.ts'
import { model, named, nullable, object, oneOf, optional, part, ref, text } from '../schema.ts'

const from = optional(ownNumber('The WhatsApp number: one of your numbers, or its id. Default: your default number.'))
const phoneNumber = text('The WhatsApp number.', { examples: ['+351210000000'] })
const link_id = text("Meta's code of the link.", { examples: ['4O4YGZEG3RIVE1'], minLength: 1, maxLength: 40 })

export const NumberQuery = ProfileQuery
export const LinkPath = object({ link_id: { ...link_id, pattern: '^[A-Za-z0-9_-]+$' } })

const example = {
  link_id: '4O4YGZEG3RIVE1',
  message: 'I have a question about my order',
  url: 'https://wa.me/message/4O4YGZEG3RIVE1',
  qr_image_url: 'https://scontent.whatsapp.net/qr.svg',
}
export const Link = named(
  'Link',
  object(
    {
      link_id,
      message: text('What stands in the customer’s input field when the link opens.'),
      url: text('Address of the link.'),
      qr_image_url: nullable(text('Address of the QR code at Meta; it expires after some days.')),
    },
    { description: 'A short link that opens a conversation with a number, and its QR code.', examples: [example] },
  ),
)
export const LinkList = model('LinkList', 'The short links of a number, as Meta has them now.', {
  phone_number: phoneNumber,
  links: Type.Array(ref(Link), { description: 'As many as Meta lists at once.' }),
})
export const LinkRequest = named(
  'LinkRequest',
  object(
    {
      from,
      message: text('What stands in the customer’s input field, 1 to 140 characters.', {
        minLength: 1,
        maxLength: 140,
      }),
      qr_image: optional(oneOf(['svg', 'png'], { description: 'Format of the QR code. Default: svg.' })),
    },
    { description: 'A short link to create, or a new message for one.', examples: [{ message: example.message }] },
  ),
)
export const LinkDeleted = model('LinkDeleted', 'A short link that no longer works.', {
  link_id,
  deleted: Type.Literal(true, { description: 'Always `true`.' }),
})

const prompt = Type.String({ minLength: 1, maxLength: 80 })
const command = part('A command.', {
  name: text('What customers type after the slash: letters, digits and _.', {
    minLength: 1,
    maxLength: 30,
    pattern: '^[\\p{L}\\p{N}_]+$',
    examples: ['order'],
  }),
  description: text('What it does.', { minLength: 1, maxLength: 256, examples: ['Where is my order?'] }),
})
export const Automation = model('Automation', 'Ice breakers and commands of a number, as Meta has them now.', {
  phone_number: phoneNumber,
  prompts: Type.Array(Type.String(), {
    description: 'Questions that a first chat suggests.',
    examples: [['Where is my order?']],
  }),
  commands: Type.Array(
    part('A command.', {
      name: text('The word that customers type after the slash.', { examples: ['order'] }),
      description: text('What it does.', { examples: ['Where is my order?'] }),
    }),
    { description: 'What customers see when they type a slash.' },
  ),
})
export const AutomationChange = named(
  'AutomationChange',
  object(
    {
      from,
      prompts: Type.Optional(
        Type.Array(prompt, {
          maxItems: 4,
          description: 'At most 4 of up to 80 characters; replaces all. Meta shows 3 or 4.',
        }),
      ),
      commands: Type.Optional(Type.Array(command, { maxItems: 30, description: 'At most 30; replaces all.' })),
    },
    {
      description: 'Ice breakers and commands. An omitted list stays; an empty one removes all.',
      examples: [{ prompts: ['Where is my order?'], commands: [{ name: 'order', description: 'Where is my order?' }] }],
    },
  ),
)

export const keywordCharsMax = 60

export const KeywordsQuery = ProfileQuery

const words = (description: string, example: string) =>
  Type.Array(Type.String({ minLength: 1, maxLength: keywordCharsMax }), {
    description,
    maxItems: 50,
    examples: [[example]],
  })

export const Keywords = model(
  'Keywords',
  'Words with which customers stop marketing messages from a number, or allow them again. Without words, the feature is off.',
  {
    phone_number: text('The WhatsApp number they apply to.', { examples: ['+351210000000'] }),
    stop_words: Type.Array(Type.String(), {
      description: 'A message that is one of these opts out.',
      examples: [['STOP']],
    }),
    start_words: Type.Array(Type.String(), {
      description: 'A message that is one of these opts in.',
      examples: [['START']],
    }),
  },
)

export const KeywordsChange = named(
  'KeywordsChange',
  object(
    {
      from: optional(ownNumber('The WhatsApp number: one of your numbers, or its id. Default: your default number.')),
      stop_words: optional(
        words('Words that opt out, in every language your customers use. An empty list turns them off.', 'STOP'),
      ),
      start_words: optional(words('Words that opt in again. An empty list turns them off.', 'START')),
    },
    {
      description:
        'A message counts only if it consists of one of the words. Case, surrounding spaces and punctuation do not matter.',
      examples: [{ stop_words: ['STOP', 'PARAR'], start_words: ['START'] }],
    },
  ),
)
