import type { Worker } from 'node:cluster'

type Handle = { close(): void }

/**
 * node:cluster hands a process one connection at a time and keeps its own end of it until the process has taken it. Of a
 * process that dies before that it keeps it for ever: the client would wait for an answer until its patience ends.
 */
export function closeLostConnection(worker: Worker): void {
  const { process } = worker
  const send = process.send.bind(process) as (...parts: unknown[]) => boolean
  let last: Handle | null = null
  process.send = (...parts: unknown[]) => {
    if (isHandle(parts[1])) last = parts[1]
    return send(...parts)
  }
  // Closing one that was taken, and so is closed, does nothing.
  worker.once('exit', () => last?.close())
}

function isHandle(part: unknown): part is Handle {
  return typeof part === 'object' && part !== null && 'close' in part
}
