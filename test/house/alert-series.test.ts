import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { type Config, loadConfig } from '../../server/src/config/config.ts'
import { createLogger } from '../../server/src/observe/log.ts'
import { metricTable } from '../../server/src/observe/metric-table.ts'
import { startService } from '../../server/src/service.ts'
import { jobDefinitions } from '../../server/src/workers/jobs.ts'
import { root } from '../support/child-process.ts'
import { freshDatabase, type TestDatabase } from '../support/postgres/databases.ts'

type Rule = { alert: string; expr: string }
type Labels = Record<string, string>
type Selector = { rule: string; name: string; labels: Record<string, string[]>; increases: boolean }

const read = (file: string) => readFileSync(join(root, file), 'utf8')
const { groups } = parse(read('deploy/prometheus-alerts.yaml')) as { groups: { rules: Rule[] }[] }
const rules = groups.flatMap((group) => group.rules)
const exprOf = (alert: string) => rules.find((rule) => rule.alert === alert)?.expr ?? ''

/** Routes are too many to be there from the start. The rules that name them divide rates, and a first one counts little. */
const isByRoute = ({ name }: Selector) => name.startsWith('postern_http_')

const selectors: Selector[] = rules.flatMap(({ alert, expr }) =>
  [...expr.matchAll(/(increase\()?\b(postern_\w+)(?:\{([^}]*)\})?/g)].map(([, increase, name = '', given = '']) => ({
    rule: alert,
    name,
    labels: Object.fromEntries(
      [...given.matchAll(/(\w+)=~?"([^"]*)"/g)].map(([, label, values = '']) => [label, values.split('|')]),
    ),
    increases: increase !== undefined,
  })),
)

/** Of a series that grows, a rule has to see the first step, whatever its other labels are. */
function neededSeries({ name, labels, increases }: Selector): Labels[] {
  const row = Object.values(metricTable).find((metric) => metric.name === name)
  const closed = increases
    ? Object.entries(row?.labels ?? {}).filter((entry): entry is [string, string[]] => Array.isArray(entry[1]))
    : []
  return Object.entries({ ...Object.fromEntries(closed), ...labels }).reduce<Labels[]>(
    (needed, [label, values]) => needed.flatMap((one) => values.map((value) => ({ ...one, [label]: value }))),
    [{}],
  )
}

type Sample = { name: string; labels: Labels; value: number }

let database: TestDatabase
beforeAll(async () => {
  database = await freshDatabase('sqlite')
})
afterAll(() => database.remove())

/** The page of metrics of a gateway that has just started and done nothing. */
async function firstPage(role: Config['role']): Promise<Sample[]> {
  const env = {
    POSTERN_DATA_DIR: database.folder,
    POSTERN_LISTEN: '127.0.0.1:0',
    POSTERN_ADMIN_LISTEN: '127.0.0.1:0',
    POSTERN_SANDBOX_LISTEN: 'off',
  }
  const { config } = loadConfig({ env, terminal: false })
  const service = await startService({ ...config, role }, createLogger({ level: 'silent', format: 'json' }))
  try {
    return samplesOf(await (await fetch(`${service.urls.admin}/metrics`)).text())
  } finally {
    await service.stop()
  }
}

function samplesOf(page: string): Sample[] {
  return [...page.matchAll(/^(postern_\w+)(?:\{(.*)\})? (\S+)$/gm)].map(([, name = '', labels = '', value]) => ({
    name,
    labels: Object.fromEntries([...labels.matchAll(/(\w+)="([^"]*)"/g)].map(([, label, text]) => [label, text])),
    value: Number(value),
  }))
}

describe('right after the start', () => {
  test('there is every series that an alert rule watches, and none has counted anything', async () => {
    const startedAt = Date.now()
    const samples = await firstPage('all')
    const watched = selectors.filter((selector) => !isByRoute(selector))
    expect(watched.filter(({ increases }) => increases).length).toBeGreaterThan(5)
    for (const selector of watched) {
      for (const labels of neededSeries(selector)) {
        const found = samples.filter(
          (sample) =>
            sample.name === selector.name &&
            Object.entries(labels).every(([label, value]) => sample.labels[label] === value),
        )
        const what = `${selector.rule}: ${selector.name} ${JSON.stringify(labels)}`
        expect(found.length, what).toBeGreaterThan(0)
        if (selector.increases) expect(new Set(found.map(({ value }) => value)), what).toEqual(new Set([0]))
      }
    }
    const jobs = samples.filter(({ name }) => name === 'postern_job_last_success_timestamp_seconds')
    for (const { labels, value } of jobs) expect(value, labels.job).toBeGreaterThanOrEqual(startedAt / 1_000)
    const regular = jobDefinitions.filter(({ everyMs }) => everyMs !== undefined)
    expect(jobs.map(({ labels }) => labels.job).sort()).toEqual(regular.map(({ kind }) => kind).sort())
  })

  test('a process without workers shows what waits for one, and no job as if it ran', async () => {
    const names = (await firstPage('api')).map(({ name }) => name)
    for (const waiting of ['webhook_queue_depth', 'webhook_queue_oldest_age_seconds', 'job_oldest_age_seconds']) {
      expect(names).toContain(`postern_${waiting}`)
    }
    expect(names).not.toContain('postern_job_last_success_timestamp_seconds')
  })
})

describe('rules and panels about requests', () => {
  const health = ['/livez', '/readyz', '/healthz']
  const dashboard = read('deploy/grafana-dashboard.json').replaceAll('\\"', '"')
  const leftOut = (text: string, name: string) =>
    [...text.matchAll(new RegExp(`${name}\\{[^}]*route!~"([^"]*)"`, 'g'))].map(([, routes = '']) => routes.split('|'))

  test('leave health checks out, which would hide what fails', () => {
    const found = [exprOf('PosternErrors'), dashboard].map((text) => leftOut(text, 'postern_http_requests_total'))
    expect(found).toEqual([[health, health], [health]])
  })

  test('take no stream of events for a slow request', () => {
    const routes = [...health, ...eventStreams('docs/api/openapi.json'), ...eventStreams('docs/api/console.json')]
    expect(routes.length).toBe(health.length + 2)
    const name = 'postern_http_request_duration_seconds_bucket'
    const found = [exprOf('PosternSlow'), dashboard].map((text) => leftOut(text, name))
    expect(found).toEqual([[routes], [routes, routes, routes]])
  })
})

function eventStreams(file: string): string[] {
  type Operation = { responses?: Record<string, { content?: object }> }
  const { paths } = JSON.parse(read(file)) as { paths: Record<string, Record<string, Operation>> }
  const isStream = ({ responses = {} }: Operation) =>
    Object.values(responses).some(({ content = {} }) => 'text/event-stream' in content)
  return Object.keys(paths).filter((path) => Object.values(paths[path] ?? {}).some(isStream))
}
