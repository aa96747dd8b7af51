/**
 * What tests run as `curl` on a machine without one. It takes the options that our texts print and refuses all others.
 */
import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { parseArgs } from 'node:util'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    silent: { type: 'boolean', short: 's' },
    'show-error': { type: 'boolean', short: 'S' },
    request: { type: 'string', short: 'X' },
    user: { type: 'string', short: 'u' },
    header: { type: 'string', short: 'H', multiple: true, default: [] },
    data: { type: 'string', short: 'd' },
    form: { type: 'string', short: 'F' },
    'write-out': { type: 'string', short: 'w', default: '' },
  },
})
const headers = new Headers(values.header.map((line): [string, string] => splitAt(line, ':')))
if (values.data !== undefined && !headers.has('content-type')) {
  headers.set('content-type', 'application/x-www-form-urlencoded')
}
if (values.user !== undefined) headers.set('authorization', `Basic ${btoa(values.user)}`)
const body = values.form === undefined ? values.data : toForm(values.form)
const method = values.request ?? (body === undefined ? 'GET' : 'POST')
try {
  const response = await fetch(positionals[0] ?? '', { method, headers, ...(body === undefined ? {} : { body }) })
  process.stdout.write(Buffer.from(await response.arrayBuffer()))
  process.stdout.write(values['write-out'].replaceAll('\\n', '\n').replaceAll('%{http_code}', String(response.status)))
} catch (error) {
  if (!values.silent || values['show-error']) process.stderr.write(`curl: (7) ${String(error)}\n`)
  process.exitCode = 7
}

/** `file=@path;filename=name;type=type` */
function toForm(text: string): FormData {
  const [field, rest] = splitAt(text, '=')
  const [file = '', ...attributes] = rest.split(';')
  const path = file.replace(/^@/, '')
  const { filename = basename(path), type = '' } = Object.fromEntries(
    attributes.map((attribute) => splitAt(attribute, '=')),
  )
  const form = new FormData()
  form.append(field, new Blob([readFileSync(path)], { type }), filename)
  return form
}

function splitAt(text: string, mark: string): [string, string] {
  const at = text.indexOf(mark)
  return [text.slice(0, at), text.slice(at + 1)]
}
