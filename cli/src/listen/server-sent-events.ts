export type StreamMessage = { id: string; event: string; data: string }

/**
 * The messages of a stream of server-sent events, as they arrive. Comments count as a sign of life and are not handed
 * on; after `silentMs` without one the stream is taken for dead, since a broken connection can look like a quiet one.
 */
export async function* readMessages(response: Response, silentMs: number): AsyncGenerator<StreamMessage> {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  if (!reader) return
  try {
    let rest = ''
    for (;;) {
      const { value, done } = await inTime(reader.read(), silentMs)
      if (done) return
      const blocks = (rest + value).split('\n\n')
      rest = blocks.pop() ?? ''
      for (const block of blocks) {
        const message = toMessage(block)
        if (message) yield message
      }
    }
  } finally {
    // Not awaited: on a broken connection this may never end.
    void reader.cancel().catch(() => {})
  }
}

/** Lines of one message; null for a comment. Ours never spread data over several lines. */
function toMessage(block: string): StreamMessage | null {
  const fields = new Map(
    block.split('\n').flatMap((line) => {
      const [, name, value] = /^([a-z]+): ?(.*)$/.exec(line) ?? []
      return name === undefined || value === undefined ? [] : [[name, value] as const]
    }),
  )
  const [id, event, data] = ['id', 'event', 'data'].map((name) => fields.get(name))
  return id === undefined || event === undefined || data === undefined ? null : { id, event, data }
}

async function inTime<T>(promise: Promise<T>, ms: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('The stream is silent.')), ms)
  })
  try {
    return await Promise.race([promise, late])
  } finally {
    clearTimeout(timer)
  }
}
