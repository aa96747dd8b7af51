/** A chat platform that takes every message at once: the far end of the send benches. Prints its port. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

let count = 0
/** Without it the channel counts as refused after a minute. */
const ofToken = { data: { is_valid: true } }

function ofSend(): object {
  // As long as Meta's, which index entries and log lines carry.
  const id = `wamid.HBgLMTU1NTUwMDAwMDAVAgARGBI${(++count).toString(16).toUpperCase().padStart(25, '0')}A`
  return { messaging_product: 'whatsapp', messages: [{ id }] }
}

const server = createServer((request, response) => {
  request.resume()
  request.on('end', () => {
    const body = JSON.stringify(request.url?.includes('/debug_token') ? ofToken : ofSend())
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }).end(body)
  })
})
server.listen(0, '127.0.0.1', () => process.stdout.write(`${(server.address() as AddressInfo).port}\n`))
