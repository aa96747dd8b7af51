import Type from 'typebox'
import { boolean, instant, integer, namedObject, nullable, object, oneOf, part, ref, text } from '../schema.ts'

const Point = object({
  start: instant(),
  created: Type.Integer(),
  sent: Type.Integer(),
  delivered: Type.Integer(),
  read: Type.Integer(),
  failed: Type.Integer(),
  received: Type.Integer(),
})

export const Attention = namedObject('ConsoleAttention', {
  id: Type.String(),
  tone: oneOf(['error', 'warn', 'info']),
  text: Type.String(),
  detail: nullable(Type.String()),
  since: nullable(instant()),
  next_attempt_at: nullable(instant({ description: 'When it is retried automatically.' })),
  to: text('The console page that handles it.'),
})

export const Home = namedObject('ConsoleHome', {
  figures: object({
    sent: Type.Integer(),
    delivered: Type.Integer(),
    read: Type.Integer(),
    failed: Type.Integer(),
    received: Type.Integer(),
    created: integer('Messages that were requested, whether or not they were sent.'),
    not_sent: integer('Sends that were rejected before a message existed.'),
    not_sent_max: integer('No more of them are counted than this.'),
    delivery_rate: nullable(Type.Number({ description: 'Delivered of created, in percent.' })),
    read_rate: nullable(Type.Number({ description: 'Read of delivered, in percent.' })),
    hours: Type.Array(Point, { description: 'The last 24 hours, oldest first.' }),
  }),
  attention: Type.Array(ref(Attention)),
  channel: nullable(
    object({
      phone_number: Type.String(),
      name: nullable(Type.String()),
      sandbox: Type.Boolean(),
      healthy: Type.Boolean(),
      quality: nullable(Type.String()),
      messaging_limit: nullable(Type.String()),
      last_event_at: nullable(instant()),
    }),
  ),
})

export const SetupStep = namedObject('ConsoleSetupStep', {
  id: oneOf(['channel', 'business', 'templates', 'key', 'webhook']),
  title: Type.String(),
  why: Type.String(),
  state: oneOf(['todo', 'waiting', 'done', 'problem']),
  text: nullable(text('Where it stands.')),
  optional: Type.Boolean(),
  refusal: nullable(
    part('The latest rejected call, while no key has been used.', {
      code: Type.String(),
      at: instant(),
      request_id: Type.String(),
    }),
  ),
})
export const Progress = namedObject('ConsoleProgress', {
  steps: Type.Array(ref(SetupStep)),
  done: integer('Of the four that are needed.'),
  sandbox: object({
    connected: Type.Boolean(),
    available: Type.Boolean(),
  }),
  first_message_sent: Type.Boolean(),
  live: boolean('A number of your own is connected, beside or instead of the sandbox.'),
})
