import { subscribe } from 'node:diagnostics_channel'
import type { IncomingMessage, ServerResponse } from 'node:http'

/** What no gateway may tell: tokens of Meta (as the sandbox makes them), tokens of connections, secrets of API keys. */
const forms = { EAA: /EAA[0-9A-F]{144}/, ptg_: /ptg_\w{22}_\w{49}/, pts_: /pts_[A-Za-z0-9]{49}/ }
type Form = keyof typeof forms
const everyForm = Object.keys(forms) as Form[]

/** Secrets without a form of their own. Those of connections may be in answers to who has them. */
const named = { meta: new Set<string>(), connection: new Set<string>() }
const told = new Set<string>()
const gateways = new Set<number>()

/** Until the returned function is called, which is at the end of the world that has them. */
export function keepSecrets(whose: keyof typeof named, ...secrets: string[]): () => void {
  for (const secret of secrets) named[whose].add(secret)
  return () => {
    for (const secret of secrets) named[whose].delete(secret)
  }
}

export function searchLog(line: string): void {
  tell('a line of the log', line, secretIn(line, everyForm, named.meta, named.connection))
}

/** What a tool receives: callbacks have room for no secret at all. */
export function searchCallback(text: string): void {
  tell('a callback', text, secretIn(text, everyForm, named.meta, named.connection))
}

/** A link to the next page has the token of a connection only if it was in the address that asked. */
export function searchAnswer(text: string, url: string): void {
  tell(`an answer to ${url}`, text, secretIn(text, ['EAA'], named.meta))
  const token = url.startsWith('/graph') ? secretIn(text, ['ptg_']) : undefined
  if (token !== undefined && !url.includes(token)) tell(`an answer to ${url}`, text, token)
}

/** Searches all that the server at this port answers, to whomever. */
export function searchAnswersOf(port: number): () => void {
  gateways.add(port)
  return () => void gateways.delete(port)
}

/** What was found since the last time. */
export function takeLeaks(): string[] {
  const sentences = [...told]
  told.clear()
  return sentences
}

function secretIn(text: string, of: readonly Form[], ...sets: Set<string>[]): string | undefined {
  for (const form of of) {
    // A tenth of the time of the expression alone.
    const [found] = text.includes(form) ? (forms[form].exec(text) ?? []) : []
    if (found !== undefined) return found
  }
  for (const set of sets) for (const secret of set) if (text.includes(secret)) return secret
  return undefined
}

/** A failing test tells no secret either. */
function tell(where: string, text: string, secret: string | undefined): void {
  if (secret === undefined) return
  const at = text.indexOf(secret)
  const around = `${text.slice(Math.max(0, at - 60), at)}${secret.slice(0, 4)}…`
  told.add(`${where} has a secret: ${around}`.replaceAll(secret, '…'))
}

/** Larger pieces are files. */
const pieceBytesMax = 65_536

subscribe('http.server.response.created', (message) => {
  const { request, response } = message as { request: IncomingMessage; response: ServerResponse }
  if (!gateways.has(request.socket.localPort ?? 0)) return
  for (const name of ['writeHead', 'write', 'end'] as const) {
    const original = response[name] as (...args: unknown[]) => unknown
    const searching = (...args: unknown[]) => {
      for (const piece of args) {
        const text = textOf(piece)
        if (text !== '') searchAnswer(text, request.url ?? '')
      }
      return original.apply(response, args)
    }
    Object.assign(response, { [name]: searching })
  }
})

function textOf(piece: unknown): string {
  if (typeof piece === 'string') return piece
  if (piece instanceof Uint8Array) return piece.length > pieceBytesMax ? '' : Buffer.from(piece).toString('latin1')
  return typeof piece === 'object' && piece !== null ? JSON.stringify(piece) : ''
}
