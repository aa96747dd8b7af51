import { noTracing, type Tracer } from './tracer.ts'

/** Tracing is off without an endpoint, and then none of its modules is loaded: they cost start time and memory. */
export async function startTracing(options: { endpoint: string | null; serviceName: string }): Promise<Tracer> {
  if (options.endpoint === null) return noTracing
  const { startOtlpTracing } = await import('./tracing-otlp.ts')
  return startOtlpTracing({ endpoint: options.endpoint, serviceName: options.serviceName })
}
