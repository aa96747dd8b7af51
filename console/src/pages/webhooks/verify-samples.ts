import type { Samples } from '../../samples.ts'

/** Code that answers the challenge and checks signatures; the secret comes from the environment. */
export const verifySamples: Samples = {
  node: `import { createHmac, timingSafeEqual } from 'node:crypto'
import { createServer } from 'node:http'

const secret = Buffer.from(process.env.WEBHOOK_SECRET.slice('whsec_'.length), 'base64')

createServer(async (request, response) => {
  const chunks = []
  for await (const chunk of request) chunks.push(chunk)
  const body = Buffer.concat(chunks)
  if (!isOurs(request.headers, body)) return response.writeHead(401).end()
  const event = JSON.parse(body)
  if (event.type === 'webhook.verification') return response.end(JSON.stringify({ challenge: event.challenge }))
  console.log(event.type, event.data)
  response.end()
}).listen(3000)

function isOurs(headers, body) {
  const { 'webhook-id': id, 'webhook-timestamp': at, 'webhook-signature': signatures = '' } = headers
  if (!id || Math.abs(Date.now() / 1000 - Number(at)) > 300) return false
  const right = createHmac('sha256', secret).update(\`\${id}.\${at}.\`).update(body).digest()
  return signatures.split(' ').some((one) => {
    const given = Buffer.from(one.replace('v1,', ''), 'base64')
    return given.length === right.length && timingSafeEqual(given, right)
  })
}`,
  python: `import base64, hashlib, hmac, os, time

SECRET = base64.b64decode(os.environ["WEBHOOK_SECRET"].removeprefix("whsec_"))

def is_ours(headers, body: bytes) -> bool:
    at = headers["webhook-timestamp"]
    if abs(time.time() - int(at)) > 300:
        return False
    signed = f"{headers['webhook-id']}.{at}.".encode() + body
    right = hmac.new(SECRET, signed, hashlib.sha256).digest()
    given = [one.removeprefix("v1,") for one in headers["webhook-signature"].split()]
    return any(hmac.compare_digest(base64.b64decode(one), right) for one in given)`,
  php: `<?php
function isOurs(array $headers, string $body): bool {
    $secret = base64_decode(substr(getenv('WEBHOOK_SECRET'), strlen('whsec_')));
    $at = $headers['webhook-timestamp'];
    if (abs(time() - (int) $at) > 300) return false;
    $right = 'v1,' . base64_encode(hash_hmac('sha256', "{$headers['webhook-id']}.$at.$body", $secret, true));
    foreach (explode(' ', $headers['webhook-signature']) as $given) {
        if (hash_equals($right, $given)) return true;
    }
    return false;
}`,
}
