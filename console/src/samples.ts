/** The same call in several languages; the first is shown until somebody chooses another. */
export type Samples = Readonly<Record<string, string>>

export type SampleWorld = { baseUrl: string; apiKey: string }

/** The secret is never written out: samples read it from the environment. */
export const secretVariable = 'POSTERN_API_SECRET'

/** Gets a token, in four languages. A test runs the one for Node as it stands. */
export function tokenSamples({ baseUrl, apiKey }: SampleWorld): Samples {
  return {
    curl: `curl -X POST ${baseUrl}/v1/auth/token \\
  -H "Content-Type: application/json" \\
  -d '{"api_key": "${apiKey}", "api_secret": "'"$${secretVariable}"'"}'`,
    node: `const response = await fetch('${baseUrl}/v1/auth/token', {
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ api_key: '${apiKey}', api_secret: process.env.${secretVariable} }),
})
const { data } = await response.json()
console.log(data.access_token)`,
    python: `import json, os, urllib.request

request = urllib.request.Request(
    "${baseUrl}/v1/auth/token",
    data=json.dumps({"api_key": "${apiKey}", "api_secret": os.environ["${secretVariable}"]}).encode(),
    headers={"content-type": "application/json"},
)
print(json.load(urllib.request.urlopen(request))["data"]["access_token"])`,
    php: `<?php
$answer = file_get_contents('${baseUrl}/v1/auth/token', false, stream_context_create(['http' => [
    'method' => 'POST',
    'header' => 'Content-Type: application/json',
    'content' => json_encode(['api_key' => '${apiKey}', 'api_secret' => getenv('${secretVariable}')]),
]]));
echo json_decode($answer)->data->access_token;`,
  }
}

/** Any call with a token; the path begins with /v1. */
export function getSamples({ baseUrl }: SampleWorld, path: string): Samples {
  return {
    curl: `curl ${baseUrl}${path} -H "Authorization: Bearer $TOKEN"`,
    node: `const response = await fetch('${baseUrl}${path}', {
  headers: { authorization: \`Bearer \${token}\` },
})
console.log(await response.json())`,
    python: `import json, urllib.request

request = urllib.request.Request("${baseUrl}${path}", headers={"authorization": f"Bearer {token}"})
print(json.load(urllib.request.urlopen(request)))`,
    php: `<?php
echo file_get_contents('${baseUrl}${path}', false, stream_context_create(['http' => [
    'header' => "Authorization: Bearer $token",
]]));`,
  }
}

export function postSamples({ baseUrl }: SampleWorld, path: string, body: Record<string, unknown>): Samples {
  const pretty = JSON.stringify(body, null, 2)
  return {
    curl: `curl -X POST ${baseUrl}${path} \\
  -H "Authorization: Bearer $TOKEN" \\
  -H "Content-Type: application/json" \\
  -d '${pretty.replaceAll("'", "'\\''")}'`,
    node: `const response = await fetch('${baseUrl}${path}', {
  method: 'POST',
  headers: { authorization: \`Bearer \${token}\`, 'content-type': 'application/json' },
  body: JSON.stringify(${pretty.replaceAll('\n', '\n  ')}),
})
console.log(await response.json())`,
    python: `import json, urllib.request

request = urllib.request.Request(
    "${baseUrl}${path}",
    data=json.dumps(${pretty.replaceAll('\n', '\n    ')}).encode(),
    headers={"authorization": f"Bearer {token}", "content-type": "application/json"},
)
print(json.load(urllib.request.urlopen(request)))`,
    php: `<?php
echo file_get_contents('${baseUrl}${path}', false, stream_context_create(['http' => [
    'method' => 'POST',
    'header' => "Authorization: Bearer $token\\r\\nContent-Type: application/json",
    'content' => '${JSON.stringify(body).replaceAll('\\', '\\\\').replaceAll("'", "\\'")}',
]]));`,
  }
}

/** What a service reads at its start. */
export function envFile({
  apiKey,
  apiSecret,
  baseUrl,
}: {
  apiKey: string
  apiSecret: string
  baseUrl: string
}): string {
  return `POSTERN_BASE_URL=${baseUrl}\nPOSTERN_API_KEY=${apiKey}\n${secretVariable}=${apiSecret}\n`
}
