import { once } from 'node:events'

export type Inspector = {
  call<Result>(method: string, params?: object): Promise<Result>
  close(): void
}

/** The debugger of a process that was started with `--inspect=127.0.0.1:0`; its address is in what it wrote. */
export async function openInspector(stderr: string): Promise<Inspector> {
  const [, url = ''] = /Debugger listening on (ws:\S+)/.exec(stderr) ?? []
  const socket = new WebSocket(url)
  await once(socket, 'open')
  const waiting = new Map<number, (result: never) => void>()
  socket.addEventListener('message', ({ data }) => {
    const { id, result } = JSON.parse(String(data)) as { id: number; result: never }
    waiting.get(id)?.(result)
    waiting.delete(id)
  })
  let last = 0
  return {
    call: (method, params = {}) =>
      new Promise((resolve) => {
        waiting.set(++last, resolve)
        socket.send(JSON.stringify({ id: last, method, params }))
      }),
    close: () => socket.close(),
  }
}
