import { inJavaScript, inPhp, inPython, inShell, jsonForPython } from './sample-quotes.ts'

/** The same call in several languages; the first is shown until another is chosen. */
export type Samples = Readonly<Record<string, string>>

export type SampleWorld = { baseUrl: string; apiKey: string }

/** The secret is never written out: samples read it from the environment. */
export const secretVariable = 'POSTERN_API_SECRET'

export const keyPlaceholder = 'YOUR_API_KEY'

/** A key is of use only with its secret: the last one that was saved in this browser and still works. */
export function sampleKey(keys: readonly { key: string; status: string }[], saved: readonly string[]): string {
  const works = (name: string) => keys.some(({ key, status }) => key === name && status === 'active')
  return saved.findLast(works) ?? keyPlaceholder
}

/** Gets a token and prints it, in four languages. Tests run every sample of this file as it stands. */
export function tokenSamples(world: SampleWorld): Samples {
  const token = tokenLines(world)
  return {
    curl: `${token.curl}\necho "\${TOKEN:?$LOGIN}"`,
    node: `${token.node}\nconsole.log(token)`,
    python: `${token.python}\nprint(token)`,
    php: `${token.php}\necho $token;`,
  }
}

/** Reads something; the path begins with /v1. */
export function getSamples(world: SampleWorld, path: string): Samples {
  const token = tokenLines(world)
  const url = `${world.baseUrl}${path}`
  return {
    curl: `curl ${inShell(url)} ${basicAuth(world)}`,
    node: `${token.node}
const response = await fetch(${inJavaScript(url)}, {
  headers: { authorization: \`Bearer \${token}\` },
})
console.log(await response.json())`,
    python: `${token.python}
request = urllib.request.Request(${inPython(url)}, headers={"authorization": f"Bearer {token}"})
print(call(request))`,
    php: `${token.php}
echo file_get_contents(${inPhp(url)}, false, stream_context_create(['http' => [
    'ignore_errors' => true,
    'header' => "Authorization: Bearer $token",
]]));`,
  }
}

export function postSamples(world: SampleWorld, path: string, body: Record<string, unknown>): Samples {
  const token = tokenLines(world)
  const url = `${world.baseUrl}${path}`
  const pretty = JSON.stringify(body, null, 2)
  return {
    curl: `curl -X POST ${inShell(url)} \\
  ${basicAuth(world)} \\
  -H 'Content-Type: application/json' \\
  -d ${inShell(pretty)}`,
    node: `${token.node}
const response = await fetch(${inJavaScript(url)}, {
  method: 'POST',
  headers: { authorization: \`Bearer \${token}\`, 'content-type': 'application/json' },
  body: JSON.stringify(${pretty.replaceAll('\n', '\n  ')}),
})
console.log(await response.json())`,
    python: `${token.python}
request = urllib.request.Request(
    ${inPython(url)},
    data=${jsonForPython(pretty)}.encode(),
    headers={"authorization": f"Bearer {token}", "content-type": "application/json"},
)
print(call(request))`,
    php: `${token.php}
echo file_get_contents(${inPhp(url)}, false, stream_context_create(['http' => [
    'method' => 'POST',
    'ignore_errors' => true,
    'header' => "Authorization: Bearer $token\\r\\nContent-Type: application/json",
    'content' => ${inPhp(JSON.stringify(body))},
]]));`,
  }
}

/** Key and secret in one call, without a token. */
export function basicAuth({ apiKey }: SampleWorld): string {
  return `-u "${apiKey}:$${secretVariable}"`
}

/** The lines the samples of a language begin with: without a token no call works, and a refusal is printed as it came. */
export function tokenLines({ baseUrl, apiKey }: SampleWorld) {
  const url = `${baseUrl}/v1/auth/token`
  return {
    curl: `LOGIN=$(curl -s -X POST ${inShell(url)} \\
  -H 'Content-Type: application/json' \\
  -d '{"api_key": "${apiKey}", "api_secret": "'"$${secretVariable}"'"}')
TOKEN=$(printf %s "$LOGIN" | sed -n 's/.*"access_token":"\\([^"]*\\)".*/\\1/p')`,
    node: `const login = await fetch(${inJavaScript(url)}, {
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ api_key: '${apiKey}', api_secret: process.env.${secretVariable} }),
})
const { data, error } = await login.json()
if (error) throw new Error(\`\${error.code}: \${error.message}\`)
const token = data.access_token`,
    python: `import json, os, urllib.error, urllib.request

def call(request):
    try:
        return json.load(urllib.request.urlopen(request))
    except urllib.error.HTTPError as error:
        raise SystemExit(error.read().decode())

login = urllib.request.Request(
    ${inPython(url)},
    data=json.dumps({"api_key": "${apiKey}", "api_secret": os.environ["${secretVariable}"]}).encode(),
    headers={"content-type": "application/json"},
)
token = call(login)["data"]["access_token"]`,
    php: `<?php
$login = file_get_contents(${inPhp(url)}, false, stream_context_create(['http' => [
    'method' => 'POST',
    'ignore_errors' => true,
    'header' => 'Content-Type: application/json',
    'content' => json_encode(['api_key' => '${apiKey}', 'api_secret' => getenv('${secretVariable}')]),
]]));
$token = json_decode($login)->data->access_token ?? exit($login);`,
  } as const
}

type Credentials = SampleWorld & { apiSecret: string }

/** What a service reads at its start. */
export function envFile({ apiKey, apiSecret, baseUrl }: Credentials): string {
  return `POSTERN_BASE_URL=${baseUrl}\nPOSTERN_API_KEY=${apiKey}\n${secretVariable}=${apiSecret}\n`
}
