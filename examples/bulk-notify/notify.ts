import { openAsBlob } from 'node:fs'
import { Postern } from '@postern/sdk'

const [campaign = 'bulk-notify', file = new URL('recipients.csv', import.meta.url).pathname] = process.argv.slice(2)
const { broadcasts } = new Postern()

const value = (text: string) => ({ type: 'text' as const, text })
const parameters = [value('{{name|customer}}'), value('{{order}}'), value('{{total}}')]
const draft = {
  name: campaign,
  template: 'order_confirmation',
  language: 'en_US',
  components: [{ type: 'body' as const, parameters }],
}
// Run again within 24 hours, the same campaign is the same broadcast.
const { id } = await broadcasts.create(draft, { idempotencyKey: campaign })

if ((await broadcasts.get(id)).status === 'draft') {
  const { problems } = await broadcasts.upload(id, { csv: await openAsBlob(file) })
  for (const { line, column, message } of problems) console.log(`line ${line}, ${column}: ${message}`)
  await broadcasts.start(id)
}
const { counts } = await broadcasts.wait(id, { everyMs: 1_000 })
console.log(`${counts.accepted} recipients: ${counts.sent} sent, ${counts.failed} failed, ${counts.skipped} skipped`)
for await (const { to, code } of broadcasts.recipients(id, { result: 'failed' })) console.log(`${to} failed: ${code}`)
