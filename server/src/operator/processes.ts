/** What a supervisor of several processes has of its own: an admin listener, and metrics of all of them as one page. */
export { createAdminApp } from '../http/health.ts'
export { createProcessMetrics, mergeMetricPages } from '../observe/metrics.ts'
