export type SpanAttributes = Readonly<Record<string, string | number | boolean>>

export type SpanOptions = {
  readonly kind?: 'internal' | 'server' | 'client'
  /** W3C `traceparent` of the caller, continued by this span. Without one the span belongs to the one around it. */
  readonly traceparent?: string | undefined
  /**
   * Starts a trace of its own that points to this one: a webhook attempt and the request that caused its event. Null
   * where the cause is not known.
   */
  readonly linkTo?: string | null | undefined
}

export type Span = {
  /** The context of this span, to be stored with an event; undefined while tracing is off. */
  readonly traceparent: string | undefined
  set(attributes: SpanAttributes): void
}

export type Tracer = {
  readonly isOn: boolean
  /** The span around the caller, to be stored with an event. */
  current(): string | undefined
  /** Runs `work` inside a span. A thrown error marks the span with its code, never with its sentence, and goes on. */
  span<Result>(
    name: string,
    attributes: SpanAttributes,
    work: (span: Span) => Result | Promise<Result>,
    options?: SpanOptions,
  ): Promise<Result>
  /** Sends what is waiting. */
  stop(): Promise<void>
}

/** Tracing that is off: the work runs as it is. */
export const noTracing: Tracer = {
  isOn: false,
  current: () => undefined,
  // Not async: a promise around that of the work would be one more for every span of every send.
  span<Result>(_name: string, _attributes: SpanAttributes, work: (span: Span) => Result | Promise<Result>) {
    try {
      return Promise.resolve(work(noSpan))
    } catch (error) {
      return Promise.reject(error)
    }
  },
  async stop() {},
}

const noSpan: Span = { traceparent: undefined, set() {} }
