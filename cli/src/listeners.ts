import { type Config, StartRefused } from '@postern/server/settings.ts'
import { isThisMachine } from '@postern/server/tools.ts'

export type Listener = { flag: string; host: string; port: number }

/** Everything that `serve` listens on, with the flag that moves it. */
export function listenersOf({ listen, adminListen, sandboxListen }: Config): Listener[] {
  return [
    { flag: '--port', ...listen },
    { flag: '--admin-port', ...adminListen },
    ...(sandboxListen === 'off' ? [] : [{ flag: '--sandbox-port', ...sandboxListen }]),
  ]
}

export function bindSentence({ flag, host, port }: Listener, code: string): string {
  if (code === 'EADDRINUSE')
    return `Port ${port} is in use by another program: stop it, or choose another port with ${flag}.`
  if (code === 'EACCES') return `Listening on port ${port} is not permitted: choose one above 1023 with ${flag}.`
  return `${host}:${port} is not available for listening (${code}).`
}

/** Names the one flag that helps where a listener could not open; every other error stays as it is. */
export function withFlag(config: Config, error: unknown): unknown {
  const { code = '', syscall, port } = error as { code?: string; syscall?: string; port?: number }
  const listener = listenersOf(config).find((one) => one.port === port)
  const isBind = code === 'EADDRINUSE' || (code === 'EACCES' && syscall === 'listen')
  return isBind && listener ? new StartRefused(bindSentence(listener, code)) : error
}

/**
 * A base URL that names another port of this machine: mostly one that a client's shell still has, and then links, console
 * and samples of this gateway lead to another one.
 */
export function strayBaseUrl({ baseUrl, listen: { port } }: Config): string | null {
  const url = baseUrl === null ? null : URL.parse(baseUrl)
  if (!url || !isThisMachine(url.hostname)) return null
  const named = Number(url.port || (url.protocol === 'https:' ? 443 : 80))
  if (named === port) return null
  const [at, cure] =
    port === 0 ? ['a port that the system chooses', ''] : [`port ${port}`, `, or set it to http://localhost:${port}`]
  return `POSTERN_BASE_URL is ${baseUrl}, but this gateway listens on ${at}: the console link and all samples point to port ${named}. Unset POSTERN_BASE_URL${cure}, unless a proxy on this machine forwards port ${named}.`
}
