import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { metricTable } from '../../server/src/observe/metric-table.ts'
import { root } from '../support/child-process.ts'

type Metric = { kind: string; labels: Record<string, 'bounded' | readonly string[] | string> }
const metrics = new Map<string, Metric>(Object.values(metricTable).map((row) => [row.name, row as unknown as Metric]))

/** `postern_messages_total{status="sent"}` and the like, with what stands in the braces. */
function selectorsOf(text: string): { name: string; labels: string }[] {
  return [...text.matchAll(/\b(postern_\w+)(?:\{([^}]*)\})?/g)].map(([, name = '', labels = '']) => ({ name, labels }))
}

function problemOf({ name, labels }: { name: string; labels: string }): string | null {
  const metric = metrics.get(name) ?? metrics.get(name.replace(/_(bucket|sum|count)$/, ''))
  if (!metric) return `${name} does not exist`
  for (const [, label = '', operator, value = ''] of labels.matchAll(/(\w+)(=~?)\\?"([^"\\]*)\\?"/g)) {
    const rule = metric.labels[label]
    if (rule === undefined) return `${name} has no label ${label}`
    const isKnown = typeof rule === 'string' || operator === '=~' || rule.includes(value)
    if (!isKnown) return `${name} never has ${label}="${value}"`
  }
  return null
}

test.each(['prometheus-alerts.yaml', 'grafana-dashboard.json'])(
  'deploy/%s names only metrics, labels and values that exist',
  (file) => {
    const selectors = selectorsOf(readFileSync(join(root, 'deploy', file), 'utf8'))
    expect(selectors.length).toBeGreaterThan(8)
    expect(selectors.map(problemOf).filter((problem) => problem !== null)).toEqual([])
  },
)

test('the dashboard shows every group of metrics that tells whether the gateway does its work', () => {
  const shown = selectorsOf(readFileSync(join(root, 'deploy', 'grafana-dashboard.json'), 'utf8')).map(
    ({ name }) => name,
  )
  for (const group of ['messages', 'http', 'channel', 'webhook', 'db', 'api_errors', 'rate_limited']) {
    expect(
      shown.some((name) => name.startsWith(`postern_${group}`)),
      group,
    ).toBe(true)
  }
})
