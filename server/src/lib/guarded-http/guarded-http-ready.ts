import { once } from 'node:events'
import type { Socket } from 'node:net'

/** Waits for `event`, an error or the signal; whatever the end, no later error of the socket goes unheard. */
export async function untilReady(socket: Socket, event: string, signal: AbortSignal): Promise<void> {
  socket.on('error', () => {})
  try {
    await once(socket, event, { signal })
  } catch (error) {
    socket.destroy()
    throw error
  }
}
