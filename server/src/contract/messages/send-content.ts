import Type, { type Static, type TSchema } from 'typebox'
import { named, object, optional, part, text, withHint } from '../schema.ts'
import { exampleId } from './message-fields.ts'
import { common } from './send-requests.ts'

const degrees = (description: string, most: number) => Type.Number({ description, minimum: -most, maximum: most })
const line = (description: string) => optional(text(description, { minLength: 1, maxLength: 1_024, 'x-secret': true }))

const exampleLocation = {
  to: '+12025550100',
  latitude: 38.7071,
  longitude: -9.1355,
  name: 'Our shop',
  address: 'Rua Augusta 100, Lisbon',
}

export const SendLocation = named(
  'SendLocation',
  object(
    {
      ...common,
      latitude: degrees('Latitude in degrees, -90 to 90.', 90),
      longitude: degrees('Longitude in degrees, -180 to 180.', 180),
      name: line('Name of the place.'),
      address: line('Address of the place; WhatsApp shows it below the name.'),
    },
    { description: 'A place on the map.', examples: [exampleLocation] },
  ),
)

/** Fields of a card are about a person, so refusals do not repeat them. */
const word = (description: string, options: object = {}) =>
  text(description, { minLength: 1, maxLength: 1_024, 'x-secret': true, ...options })
const label = (description: string) => optional(word(description, { maxLength: 64 }))
const several = <Entry extends TSchema>(description: string, entry: Entry) =>
  optional(Type.Array(entry, { description, maxItems: 20 }))

const ContactCard = object({
  name: part('Name of the contact.', {
    formatted_name: word('Full name, as WhatsApp shows it.'),
    first_name: optional(word('First name.')),
    last_name: optional(word('Last name.')),
    middle_name: optional(word('Middle name.')),
    prefix: optional(word('Title before the name, such as Dr.')),
    suffix: optional(word('Addition after the name, such as Jr.')),
  }),
  phones: several(
    'Phone numbers.',
    object({
      phone: word('The number, as it is shown.'),
      type: label('Kind of number, such as `MOBILE` or `WORK`.'),
      wa_id: optional(
        word('The number on WhatsApp, in digits with the country code: the card then offers to write to it.', {
          pattern: '^[1-9][0-9]{6,14}$',
          ...withHint('invalid_phone_number', 'Give digits with the country code and without +, such as 351912345678.'),
        }),
      ),
    }),
  ),
  emails: several(
    'Email addresses.',
    object({ email: word('The address.'), type: label('Kind of address, such as `WORK`.') }),
  ),
  org: optional(
    part('Where the contact works.', {
      company: optional(word('Name of the company.')),
      department: optional(word('Name of the department.')),
      title: optional(word('Position in the company.')),
    }),
  ),
  urls: several('Websites.', object({ url: word('The address.'), type: label('Kind of website, such as `WORK`.') })),
})

const exampleCard = {
  name: { formatted_name: 'Ana Silva', first_name: 'Ana', last_name: 'Silva' },
  phones: [{ phone: '+351 912 345 678', type: 'WORK', wa_id: '351912345678' }],
  org: { company: 'Acme', title: 'Support' },
}

export const SendContacts = named(
  'SendContacts',
  object(
    {
      ...common,
      contacts: Type.Array(ContactCard, { minItems: 1, maxItems: 257, description: 'One to 257 contact cards.' }),
    },
    { description: 'Contact cards.', examples: [{ to: '+12025550100', contacts: [exampleCard] }] },
  ),
)
export type ContactCard = Static<typeof ContactCard>

/** A reaction belongs to its message; it quotes none. */
const { reply_to: _, ...withoutQuote } = common

export const SendReaction = named(
  'SendReaction',
  object(
    {
      ...withoutQuote,
      from: optional(
        text('The WhatsApp number to send from: the one of the message. Default: that number.', {
          minLength: 1,
          maxLength: 64,
        }),
      ),
      message_id: text('Id of the message to react to: one of this customer, at most 30 days old.', {
        minLength: 1,
        maxLength: 255,
        examples: [exampleId],
      }),
      emoji: text('The emoji: exactly one. An empty text removes your reaction.', {
        maxLength: 64,
        examples: ['👍'],
        'x-secret': true,
      }),
    },
    {
      description: 'An emoji on a message. A new one replaces your earlier one.',
      examples: [{ to: '+12025550100', message_id: exampleId, emoji: '👍' }],
    },
  ),
)
