/** One message seen by the platform, in either direction. */
export type Message = {
  /** Given by the log. */
  seq: number
  id: string
  direction: 'outbound' | 'inbound'
  numberId: string
  businessDigits: string
  customerDigits: string | null
  customerUserId: string
  type: string
  text: string | null
  /** The request, or the callback item, as JSON text: a flat string costs the collector nothing. */
  payload: string
  opaque: string | null
  status: string
  history: { readonly status: string; readonly atMs: number }[]
  errorCode: number | null
  acceptedAtMs: number
  /** For an inbound message: the business has marked it read. */
  readByBusiness: boolean
}

/** The newest messages, oldest first, in bounded memory. */
export class MessageLog {
  readonly #max: number
  readonly #byId = new Map<string, Message>()
  #items: Message[] = []
  #seq = 0
  #generation = 0

  constructor(max: number) {
    this.#max = max
  }

  get total(): number {
    return this.#seq
  }

  /** Changes when everything is forgotten: what was planned for the messages from before does not happen. */
  get generation(): number {
    return this.#generation
  }

  add(message: Message): Message {
    message.seq = ++this.#seq
    this.#items.push(message)
    this.#byId.set(message.id, message)
    // Dropped a quarter at a time: removing one by one from the front of a long array is quadratic.
    if (this.#items.length > this.#max * 1.25) {
      const dropped = this.#items.splice(0, this.#items.length - this.#max)
      for (const old of dropped) this.#byId.delete(old.id)
    }
    return message
  }

  get(id: string): Message | undefined {
    return this.#byId.get(id)
  }

  /** With `after`, the first `limit` messages younger than that id; without, the newest `limit`. Oldest first. */
  list(matches: (message: Message) => boolean, limit: number, after?: string): Message[] {
    if (after === undefined) return this.#items.filter(matches).slice(-limit)
    const seq = this.#byId.get(after)?.seq ?? 0
    return this.#items.filter((message) => message.seq > seq && matches(message)).slice(0, limit)
  }

  clear(): void {
    this.#items = []
    this.#byId.clear()
    this.#generation++
  }
}
