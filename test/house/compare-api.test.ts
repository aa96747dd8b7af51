import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type ApiDocument, breakingChanges } from '../../scripts/release/compare-api.ts'

const read = () => JSON.parse(readFileSync(join(import.meta.dirname, '../../docs/api/openapi.json'), 'utf8'))

/** Today's document, changed. */
// biome-ignore lint/suspicious/noExplicitAny: a test reaches deep into a document whose form is its subject
function changed(change: (document: any) => void): string[] {
  const newer = read()
  change(newer)
  return breakingChanges(read() as ApiDocument, newer as ApiDocument)
}

const send = '/v1/chat/messages/send'

test('the comparison finds nothing to complain about in additions', () => {
  const changes = changed(({ paths, components: { schemas } }) => {
    paths['/v1/new'] = paths[send]
    paths['/v1/events'].get.parameters.push({ name: 'fresh', in: 'query', schema: { type: 'string' } })
    schemas.SendText.properties.fresh = { type: 'string' }
    schemas.MediaFile.properties.fresh = { type: 'string' }
    schemas.SendMedia.properties.type.enum.push('sticker')
  })
  expect(changes).toEqual([])
})

test.each<[string, string, Parameters<typeof changed>[0]]>([
  ['an operation that is gone', `POST ${send} is gone`, ({ paths }) => delete paths[send]],
  [
    'a parameter that is gone',
    "GET /v1/events: the parameter 'since' is gone",
    ({ paths: { '/v1/events': events } }) => {
      events.get.parameters = events.get.parameters.filter(({ name }: { name: string }) => name !== 'since')
    },
  ],
  [
    'a field that is required now',
    `POST ${send} body.client_reference is required now`,
    ({ components: { schemas } }) => schemas.SendText.required.push('client_reference'),
  ],
  [
    'a field that is no longer taken',
    `POST ${send} body.reply_to is gone`,
    ({ components: { schemas } }) => delete schemas.SendText.properties.reply_to,
  ],
  [
    'a value that is no longer taken',
    'POST /v1/chat/messages/media body.type: the value video is no longer taken',
    ({ components: { schemas } }) => schemas.SendMedia.properties.type.enum.pop(),
  ],
  [
    'a type that is no longer taken',
    `POST ${send} body.reply_to: the type null is no longer taken`,
    ({ components: { schemas } }) => (schemas.SendText.properties.reply_to.type = 'string'),
  ],
  [
    'a field of an answer that is gone',
    'GET /v1/chat/media/{media_id} 200.data.sha256 is gone',
    ({ components: { schemas } }) => delete schemas.MediaFile.properties.sha256,
  ],
])('the comparison finds %s', (_, sentence, change) => {
  expect(changed(change)).toContain(sentence)
})
