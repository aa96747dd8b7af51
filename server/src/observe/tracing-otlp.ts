import { AsyncLocalStorage } from 'node:async_hooks'
import {
  type Context,
  type Span as OtelSpan,
  ROOT_CONTEXT,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { BatchSpanProcessor, TracerProvider, type TracerProviderOptions } from '@opentelemetry/sdk-trace'
import type { Span, SpanOptions, Tracer } from './tracer.ts'

/** Spans by OTLP over HTTP. Imported by tracing.ts only when a collector is configured. */
export function startOtlpTracing({ endpoint, serviceName }: { endpoint: string; serviceName: string }): Tracer {
  // A collector that is down must not hold up the end of the process longer than this.
  const exporter = new OTLPTraceExporter({ url: tracesUrl(endpoint), timeoutMillis: 3000 })
  const provider = new TracerProvider({
    resource: resourceOf(serviceName),
    spanProcessors: [new BatchSpanProcessor({ exporter, scheduledDelayMillis: 1000 })],
  })
  const tracer = provider.getTracer('postern')
  const current = new AsyncLocalStorage<Context>()
  return {
    isOn: true,
    current() {
      const span = trace.getSpan(current.getStore() ?? ROOT_CONTEXT)
      return span && handleOf(span).traceparent
    },
    async span(name, attributes, work, options = {}) {
      const link = parseTraceparent(options.linkTo ?? undefined)
      const context = contextFor(options, current.getStore())
      const links = link === undefined ? [] : [{ context: link }]
      const span = tracer.startSpan(name, { kind: kinds[options.kind ?? 'internal'], attributes, links }, context)
      try {
        return await current.run(trace.setSpan(context, span), async () => work(handleOf(span)))
      } catch (error) {
        span.setAttribute('error.type', errorType(error))
        span.setStatus({ code: SpanStatusCode.ERROR })
        throw error
      } finally {
        span.end()
      }
    },
    // Spans that no collector took are lost; that is no reason for the process to end with an error.
    stop: () => provider.shutdown().catch(() => undefined),
  }
}

const kinds = { internal: SpanKind.INTERNAL, server: SpanKind.SERVER, client: SpanKind.CLIENT }

function contextFor({ traceparent, linkTo }: SpanOptions, around: Context | undefined): Context {
  const remote = parseTraceparent(traceparent)
  if (remote !== undefined) return trace.setSpanContext(ROOT_CONTEXT, remote)
  return linkTo === undefined && around !== undefined ? around : ROOT_CONTEXT
}

function handleOf(span: OtelSpan): Span {
  const { traceId, spanId, traceFlags } = span.spanContext()
  const flags = traceFlags.toString(16).padStart(2, '0')
  return { traceparent: `00-${traceId}-${spanId}-${flags}`, set: (attributes) => void span.setAttributes(attributes) }
}

/** An unreadable header starts a new trace, as the W3C recommendation asks. */
function parseTraceparent(text: string | undefined): SpanContext | undefined {
  const match = /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(?:-|$)/.exec(
    text ?? '',
  )
  const [, traceId, spanId, flags] = match ?? []
  if (traceId === undefined || spanId === undefined || flags === undefined) return undefined
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16), isRemote: true }
}

function errorType(error: unknown): string {
  if (!(error instanceof Error)) return typeof error
  return 'code' in error && typeof error.code === 'string' ? error.code : error.constructor.name
}

/** The variable names the collector; traces live under a fixed path of it. */
function tracesUrl(endpoint: string): string {
  return endpoint.endsWith('/v1/traces') ? endpoint : `${endpoint}/v1/traces`
}

function resourceOf(serviceName: string): NonNullable<TracerProviderOptions['resource']> {
  const attributes = { 'service.name': serviceName }
  return {
    attributes,
    getRawAttributes: () => Object.entries(attributes),
    merge: (other) => other ?? resourceOf(serviceName),
  }
}
