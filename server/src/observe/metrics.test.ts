import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { metricTable } from './metric-table.ts'
import { createMetrics } from './metrics.ts'

const build = { version: '1.2.3', commit: 'abc1234' }

/** Name, type and labels as operators rely on them in dashboards and alert rules. */
const documented = [
  'postern_http_requests_total counter method,route,status',
  'postern_http_request_duration_seconds histogram method,route',
  'postern_http_requests_in_flight gauge',
  'postern_http_request_size_bytes histogram route',
  'postern_http_response_size_bytes histogram route',
  'postern_api_errors_total counter code,route',
  'postern_auth_tokens_issued_total counter kind',
  'postern_auth_failures_total counter code',
  'postern_rate_limited_total counter policy,plan',
  'postern_idempotency_replays_total counter outcome',
  'postern_graph_requests_total counter route,code',
  'postern_graph_aliases_total counter',
  'postern_media_store_failing gauge',
  'postern_media_store_request_duration_seconds histogram operation,outcome',
  'postern_partition_days_ahead gauge',
  'postern_graph_repeats_total counter',
  'postern_messages_total counter direction,type,status',
  'postern_message_send_duration_seconds histogram type',
  'postern_message_delivery_latency_seconds histogram stage',
  'postern_messages_unresolved gauge age',
  'postern_messages_given_up_total counter',
  'postern_channel_requests_total counter operation,outcome',
  'postern_channel_request_duration_seconds histogram operation',
  'postern_channel_sends_in_flight gauge',
  'postern_channel_numbers_at_limit gauge',
  'postern_channel_events_received_total counter kind,outcome',
  'postern_channel_event_lag_seconds histogram',
  'postern_callback_oldest_age_seconds gauge',
  'postern_channel_auth_failed_total counter',
  'postern_channel_token_expiry_timestamp_seconds gauge',
  'postern_webhook_attempts_total counter event,outcome',
  'postern_waiting_oldest_overdue_seconds gauge',
  'postern_waiting_sends gauge priority',
  'postern_broadcast_recipients_total counter result',
  'postern_broadcast_stops_total counter reason',
  'postern_broadcasts gauge state',
  'postern_budgets gauge state',
  'postern_budget_refusals_total counter',
  'postern_broadcast_recipients_waiting gauge',
  'postern_webhook_attempt_duration_seconds histogram',
  'postern_webhook_connections_total counter connection',
  'postern_webhook_deliveries_total counter event,result',
  'postern_webhook_end_to_end_seconds histogram',
  'postern_webhook_queue_depth gauge state',
  'postern_webhook_queue_oldest_age_seconds gauge',
  'postern_webhook_endpoints gauge state',
  'postern_template_changes_total counter kind,to',
  'postern_templates gauge status',
  'postern_media_bytes_stored gauge kind',
  'postern_media_uploads_total counter kind,outcome',
  'postern_db_query_duration_seconds histogram query',
  'postern_db_pool_connections gauge state',
  'postern_job_runs_total counter job',
  'postern_job_duration_seconds histogram job',
  'postern_job_last_success_timestamp_seconds gauge job',
  'postern_job_oldest_age_seconds gauge lane',
  'postern_retention_paused_until_timestamp_seconds gauge',
  'postern_feed_lag_seconds gauge',
  'postern_disk_free_bytes gauge',
  'postern_disk_size_bytes gauge',
  'postern_console_logins_total counter outcome',
  'postern_build_info gauge version,commit,node',
  'postern_signing_key_expiry_timestamp_seconds gauge',
]

describe('the rendered page', () => {
  test('names every documented metric with its type, and no other of ours', async () => {
    const page = await createMetrics(build).render()
    const types = [...page.matchAll(/^# TYPE (postern_\S+) (\S+)$/gm)].map(([, name, type]) => `${name} ${type}`)
    expect(types.sort()).toEqual(documented.map((line) => line.split(' ').slice(0, 2).join(' ')).sort())
  })

  test('uses exactly the documented labels', async () => {
    const page = await pageWithOneSampleEach()
    for (const line of documented) {
      const [name = '', type, labels = ''] = line.split(' ')
      const sample = type === 'histogram' ? `${name}_count` : name
      const found = new RegExp(`^${sample}(?:\\{([^}]*)\\})? `, 'm').exec(page)
      expect(found, name).not.toBeNull()
      const used = [...(found?.[1] ?? '').matchAll(/(\w+)="/g)].map(([, label]) => label)
      expect(used, name).toEqual(labels === '' ? [] : labels.split(','))
    }
  })

  test('has no metric that nobody sets', () => {
    const server = join(import.meta.dirname, '..')
    const sources = globSync('**/*.ts', { cwd: server })
      .filter((file) => !file.endsWith('.test.ts') && !file.endsWith('metric-table.ts'))
      .map((file) => readFileSync(join(server, file), 'utf8'))
      .join('\n')
    const unused = Object.keys(metricTable).filter((key) => !new RegExp(`\\b${key}\\b`).test(sources))
    expect(unused).toEqual([])
  })

  test('says what is running', async () => {
    const page = await createMetrics(build).render()
    expect(page).toContain(`postern_build_info{version="1.2.3",commit="abc1234",node="${process.versions.node}"} 1`)
  })

  test('watches the process once for all gateways in it', () => {
    createMetrics(build)
    const observe = vi.spyOn(PerformanceObserver.prototype, 'observe')
    createMetrics(build)
    expect(observe).not.toHaveBeenCalled()
    observe.mockRestore()
  })

  test('includes the process and the event loop', async () => {
    const page = await createMetrics(build).render()
    for (const name of ['process_cpu_seconds_total', 'nodejs_eventloop_lag_seconds', 'nodejs_heap_size_used_bytes']) {
      expect(page).toContain(`# TYPE ${name} `)
    }
  })

  test('asks the registered readers first, and survives one that fails', async () => {
    const metrics = createMetrics(build)
    metrics.onRender(() => {
      throw new Error('database is away')
    })
    metrics.onRender(async () => metrics.webhookQueueDepth.set({ state: 'ready' }, 42))
    expect(await metrics.render()).toContain('postern_webhook_queue_depth{state="ready"} 42')
  })
})

describe('labels', () => {
  test('count a value outside their closed set as other', async () => {
    const metrics = createMetrics(build)
    metrics.httpRequests.inc({ method: 'PROPFIND', route: '/v1/auth/me', status: 404 })
    metrics.apiErrors.inc({ code: JSON.parse('"made_up"'), route: '/v1/auth/me' })
    const page = await metrics.render()
    expect(page).toContain('postern_http_requests_total{method="other",route="/v1/auth/me",status="404"} 1')
    expect(page).toContain('postern_api_errors_total{code="other",route="/v1/auth/me"} 1')
  })

  test('stop growing when names come from outside after all', async () => {
    const metrics = createMetrics(build)
    for (let index = 0; index < 1000; index += 1) metrics.jobRuns.inc({ job: `job-${index}` })
    const page = await metrics.render()
    expect([...page.matchAll(/^postern_job_runs_total\{/gm)]).toHaveLength(201)
    expect(page).toContain('postern_job_runs_total{job="other"} 800')
  })

  test('belong to one instance: two gateways in a process do not share counts', async () => {
    const [one, two] = [createMetrics(build), createMetrics(build)]
    one.httpRequestsInFlight.set({}, 1)
    expect(await one.render()).toContain('postern_http_requests_in_flight 1')
    expect(await two.render()).toContain('postern_http_requests_in_flight 0')
  })
})

test('durations fall into buckets from 5 ms to 10 s', async () => {
  const metrics = createMetrics(build)
  metrics.httpRequestDuration.observe({ method: 'GET', route: '/v1/auth/me' }, 0.02)
  const page = await metrics.render()
  expect(page).toContain('le="0.005",method="GET",route="/v1/auth/me"} 0')
  expect(page).toContain('le="0.025",method="GET",route="/v1/auth/me"} 1')
  expect(page).toContain('le="10",method="GET",route="/v1/auth/me"} 1')
})

test('what is no number is left out, and neither the page nor what is counted beside it suffers', async () => {
  const metrics = createMetrics(build)
  for (const value of [Number.NaN, Number.POSITIVE_INFINITY, 0.02]) {
    metrics.httpRequestDuration.observe({ method: 'GET', route: '/v1/auth/me' }, value)
    metrics.jobRuns.inc({ job: 'a' }, value)
  }
  const page = await metrics.render()
  expect(page).toContain('postern_http_request_duration_seconds_sum{method="GET",route="/v1/auth/me"} 0.02')
  expect(page).toContain('postern_job_runs_total{job="a"} 0.02')
})

async function pageWithOneSampleEach(): Promise<string> {
  const { onRender: _onRender, render, contentType: _contentType, ...handles } = createMetrics(build)
  const anything = new Proxy({}, { get: () => 'x' })
  for (const handle of Object.values(handles) as Record<string, (labels: object, value: number) => void>[]) {
    handle.inc?.(anything, 1)
    handle.set?.(anything, 1)
    handle.observe?.(anything, 1)
  }
  return render()
}
