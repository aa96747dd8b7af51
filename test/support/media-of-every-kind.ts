import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import type { Gateway } from './serve.ts'
import { waitFor } from './wait-for.ts'

const film = Buffer.from('\0\0\0\x18ftypisom\0\0\0\0isomiso2', 'latin1')
const files = [
  ['image', 'dot.jpg', Buffer.from('\xff\xd8\xff\xe0rest', 'latin1')],
  [
    'image',
    'dot.png',
    Buffer.from(
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
      'base64',
    ),
  ],
  ['document', 'page.pdf', Buffer.from('%PDF-1.7\n')],
  ['audio', 'tone.mp3', Buffer.from('ID3\x04\0\0')],
  ['audio', 'tone.ogg', Buffer.from('OggS\0\x02OpusHead')],
  ['video', 'film.mp4', film],
] as const
const deadlineMs = 30_000
const inbound = ['image', 'sticker', 'video', 'audio', 'document']

/** How many files a gateway and its sandbox hold after `sendAndReceive`. */
export const mediaCount = files.length + inbound.length

/** Every kind is uploaded and sent, so that the sandbox keeps it too, and every kind is written by a customer. */
export async function sendAndReceive({ base_url, sandbox_url }: Gateway, token: string): Promise<string[]> {
  const authorization = `Bearer ${token}`
  const from = '+12025550100'
  const json = { authorization, 'content-type': 'application/json' }
  const ids: string[] = []
  for (const type of inbound) {
    const body = JSON.stringify({ from, type })
    expect((await fetch(`${sandbox_url}/_sandbox/inbound`, { method: 'POST', body, headers: json })).ok).toBe(true)
  }
  await waitFor(async () => {
    const list = await fetch(`${base_url}/v1/events?type=message.received&limit=50`, { headers: { authorization } })
    const { data } = (await list.json()) as {
      data: { events: { data: { content: { media: { media_id: string } } } }[] }
    }
    ids.splice(0, Infinity, ...data.events.map((event) => event.data.content.media.media_id))
    return ids.length === inbound.length
  }, deadlineMs)
  for (const [type, name, bytes] of files) {
    const form = new FormData()
    form.set('file', new Blob([bytes]), name)
    const uploaded = await fetch(`${base_url}/v1/chat/media`, {
      method: 'POST',
      headers: { authorization },
      body: form,
    })
    const { data } = (await uploaded.json()) as { data: { media_id: string } }
    ids.push(data.media_id)
    const body = JSON.stringify({ to: from, type, media_id: data.media_id })
    const sent = await fetch(`${base_url}/v1/chat/messages/media`, { method: 'POST', headers: json, body })
    expect(sent.status, await sent.text()).toBe(200)
  }
  return ids
}

export async function contentsOf(
  { base_url }: Gateway,
  token: string,
  ids: readonly string[],
): Promise<Map<string, string>> {
  const contents = new Map<string, string>()
  for (const id of ids) {
    // A file of a customer is fetched from the platform soon after its message.
    await waitFor(async () => {
      const url = `${base_url}/v1/chat/media/${id}/content`
      const response = await fetch(url, { headers: { authorization: `Bearer ${token}` } })
      if (response.ok) contents.set(id, Buffer.from(await response.arrayBuffer()).toString('base64'))
      return response.ok
    }, deadlineMs)
  }
  return contents
}

export function filesBelow(folder: string): [string, string][] {
  return readdirSync(folder)
    .sort()
    .map((name) => [name, readFileSync(join(folder, name), 'base64')])
}
