import type { Call } from './call.ts'
import { sdkCall } from './sdk-calls.ts'

export type Sample = { language: string; code: string; grammar: string }

/** The same call in four languages. Address and token come from the environment, as in the guides. */
export function samplesOf(call: Call): Sample[] {
  return [
    { language: 'curl', code: curl(call), grammar: 'bash' },
    { language: 'Node (SDK)', code: node(call), grammar: 'javascript' },
    { language: 'Python', code: python(call), grammar: 'python' },
    { language: 'PHP', code: php(call), grammar: 'php' },
  ]
}

function curl({ method, path, body, form, auth }: Call): string {
  const lines = [`curl -X ${method.toUpperCase()} "$POSTERN_BASE_URL${path}"`]
  if (auth === 'token') lines.push('-H "Authorization: Bearer $TOKEN"')
  if (form) lines.push('-F "file=@receipt.pdf"')
  else if (body !== undefined) {
    lines.push("-H 'Content-Type: application/json'", `-d '${JSON.stringify(body, null, 2).replaceAll("'", "'\\''")}'`)
  }
  return lines.join(' \\\n  ')
}

function node(call: Call): string {
  const start = "import { Postern } from '@postern/sdk'\n\nconst postern = new Postern()\n"
  return start + sdkCall(call)
}

function python({ method, path, body, form, auth }: Call): string {
  const options = [
    ...(auth === 'token' ? ['    headers={"Authorization": f"Bearer {os.environ[\'TOKEN\']}"},'] : []),
    ...(form ? ['    files={"file": open("receipt.pdf", "rb")},'] : []),
    ...(body === undefined || form ? [] : [`    json=${indented(literal(body, pythonWords), '    ')},`]),
    '    timeout=30,',
  ]
  return `import os, requests

response = requests.${method}(
    os.environ["POSTERN_BASE_URL"] + "${path}",
${options.join('\n')}
)
response.raise_for_status()
print(response.${path.endsWith('/content') ? 'content' : 'json()["data"]'})`
}

function php({ method, path, body, form, auth }: Call): string {
  const headers = [
    ...(auth === 'token' ? ["'Authorization: Bearer ' . getenv('TOKEN')"] : []),
    ...(body === undefined || form ? [] : ["'Content-Type: application/json'"]),
  ]
  const options = [
    `    CURLOPT_CUSTOMREQUEST => '${method.toUpperCase()}',`,
    `    CURLOPT_HTTPHEADER => [${headers.join(', ')}],`,
    ...(form ? ["    CURLOPT_POSTFIELDS => ['file' => new CURLFile('receipt.pdf')],"] : []),
    ...(body === undefined || form
      ? []
      : [`    CURLOPT_POSTFIELDS => json_encode(${indented(literal(body, phpWords), '    ')}),`]),
    '    CURLOPT_RETURNTRANSFER => true,',
  ]
  return `<?php
$curl = curl_init(getenv('POSTERN_BASE_URL') . '${path}');
curl_setopt_array($curl, [
${options.join('\n')}
]);
echo curl_exec($curl);`
}

type Words = { open: string; close: string; pair: string; values: Record<string, string> }
const pythonWords: Words = { open: '{', close: '}', pair: ': ', values: { true: 'True', false: 'False', null: 'None' } }
const phpWords: Words = { open: '[', close: ']', pair: ' => ', values: {} }

/** JSON in the notation of another language. */
function literal(value: unknown, words: Words): string {
  if (Array.isArray(value)) return `[${value.map((one) => literal(one, words)).join(', ')}]`
  if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value).map(
      ([name, one]) => `    ${quoted(name, words)}${words.pair}${indented(literal(one, words), '    ')},`,
    )
    if (entries.length === 0) return words === phpWords ? 'new stdClass()' : '{}'
    return `${words.open}\n${entries.join('\n')}\n${words.close}`
  }
  if (typeof value === 'string') return quoted(value, words)
  return words.values[String(value)] ?? String(value)
}

/** PHP reads `$` in double quotes as a variable. */
function quoted(text: string, words: Words): string {
  return words === phpWords ? `'${text.replace(/['\\]/g, '\\$&')}'` : JSON.stringify(text)
}

export function indented(text: string, by: string): string {
  return text.replaceAll('\n', `\n${by}`)
}
