/** As much of Express as the service written by hand needs; the package has no types of its own. */
declare module 'express' {
  import type { Server } from 'node:http'

  type Answer = { json(body: object): void }
  type App = {
    use(handler: object): void
    post(path: string, handler: (request: { body: unknown }, answer: Answer) => Promise<void>): void
    listen(port: number, host: string, ready: () => void): Server
  }
  export default function express(): App
  type Incoming = { headers: Record<string, string | string[] | undefined> }
  export function json(options?: { verify(request: Incoming, answer: unknown, body: Buffer): void }): object
}
