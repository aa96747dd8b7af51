import Type from 'typebox'
import { named, object, optional, text } from '../schema.ts'
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
