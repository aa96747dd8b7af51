import { expect, test } from 'vitest'
import { createMetrics, mergeMetricPages } from './metrics.ts'

test('the pages of two processes become one, each metric described once with the lines of both', async () => {
  const pages = await Promise.all(
    [1, 2].map((number) => {
      const metrics = createMetrics({ version: '1.2.3', commit: 'abc1234' }, number)
      metrics.jobRuns.inc({ job: 'tidy' }, number * 10)
      return metrics.render()
    }),
  )
  const page = mergeMetricPages(pages)
  expect(page).toContain(
    '# TYPE postern_job_runs_total counter\npostern_job_runs_total{job="tidy",process="1"} 10\npostern_job_runs_total{job="tidy",process="2"} 20\n',
  )
  const heads = [...page.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name)
  expect(new Set(heads).size).toBe(heads.length)
  expect(page.match(/^[^#\n].*/gm)).toHaveLength(pages.flatMap((one) => one.match(/^[^#\n].*/gm) ?? []).length)
})
