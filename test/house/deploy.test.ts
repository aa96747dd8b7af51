import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { describe, expect, test } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { allCommands } from '../../cli/src/commands.ts'
import { imagesByTag } from '../../scripts/release/check-images.ts'
import { loadConfig } from '../../server/src/config/config.ts'
import { settings } from '../../server/src/config/config-schema.ts'
import { minuteMs } from '../../server/src/lib/durations.ts'
import { metricTable } from '../../server/src/observe/metric-table.ts'
import { jobDefinitions } from '../../server/src/workers/jobs.ts'
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

const deployFiles = globSync('deploy/**/*.*', { cwd: root, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => join(entry.parentPath, entry.name))
  .concat(...['deploy/Dockerfile', 'deploy/proxy/Caddyfile'].map((file) => join(root, file)))
const read = (file: string) => readFileSync(join(root, file), 'utf8')

describe('the alert rules', () => {
  type Rule = { alert: string; expr: string; annotations: { summary: string; description: string } }
  const [document] = documentsOf(join(root, 'deploy/prometheus-alerts.yaml')) as [{ groups: { rules: Rule[] }[] }]
  const rules = document.groups.flatMap((group) => group.rules)

  test('have a section in docs/monitoring.md each, and no section is about a rule that is gone', () => {
    const sections = [...read('docs/monitoring.md').matchAll(/^### (Postern\w+)$/gm)].map(([, name]) => name)
    expect(rules.length).toBeGreaterThan(15)
    expect(sections.sort()).toEqual(rules.map(({ alert }) => alert).sort())
  })

  test('expect only jobs that run often enough to be missed', () => {
    const { expr } = rules.find(({ alert }) => alert === 'PosternJobStuck') as Rule
    const [, named = ''] = /job=~"([^"]*)"/.exec(expr) ?? []
    const often = jobDefinitions.filter(({ everyMs = Number.POSITIVE_INFINITY }) => everyMs <= 10 * minuteMs)
    expect(named.split('|').sort()).toEqual(often.map(({ kind }) => kind).sort())
  })

  test('and docs/monitoring.md name only metrics that exist', () => {
    const named = selectorsOf(read('docs/monitoring.md').replaceAll('\\_', '_'))
    expect(named.length).toBeGreaterThan(15)
    expect(named.map(problemOf).filter((problem) => problem !== null)).toEqual([])
  })
})

describe('what stands in deploy/', () => {
  const pages = ['docs/deploy.md', 'docs/upgrade.md', 'docs/monitoring.md'].map((page) => join(root, page))

  test('names only settings that exist', () => {
    const known = new Set(Object.values(settings).flatMap(({ name }) => [name, `${name}_FILE`]))
    const unknown = [...deployFiles, ...pages].flatMap((file) =>
      [...readFileSync(file, 'utf8').matchAll(/\bPOSTERN_[A-Z_]+[A-Z]\b/g)]
        .filter(([name]) => !known.has(name))
        .map(([name]) => `${file}: ${name}`),
    )
    expect(deployFiles.length).toBeGreaterThan(9)
    expect(unknown).toEqual([])
  })

  test('calls only commands that exist', async () => {
    const names = (await allCommands()).map(({ name }) => name)
    const called = [...deployFiles, ...pages].flatMap((file) =>
      [
        ...readFileSync(file, 'utf8').matchAll(/(?<!-[nt] )\bpostern (?!postern\b)([a-z][a-z-]+)(?: ([a-z][a-z-]+))?/g),
      ].map(([whole, first = '', second]) => ({ file, whole, first, both: `${first} ${second}` })),
    )
    const unknown = called
      .filter(({ first, both }) => !names.includes(first) && !names.includes(both))
      .map(({ file, whole }) => `${file}: ${whole}`)
    expect(called.length).toBeGreaterThan(20)
    expect(unknown).toEqual([])
  })

  test('is YAML and JSON that can be read', () => {
    const files = deployFiles.filter((file) => /\.(yaml|json)$/.test(file))
    expect(files.length).toBeGreaterThan(6)
    for (const file of files) expect(documentsOf(file).length, file).toBeGreaterThan(0)
  })

  test('mounts only files that exist', () => {
    for (const name of ['one-node', 'three-nodes']) {
      const [compose] = documentsOf(join(root, `deploy/compose/${name}.yaml`)) as [Compose]
      const mounts = Object.values(compose.services)
        .flatMap((service) => service?.volumes ?? [])
        .filter((volume) => volume.startsWith('.'))
      expect(mounts.length).toBeGreaterThan(0)
      const missing = mounts.filter((mount) => !existsSync(join(root, 'deploy/compose', mount.split(':')[0] ?? '')))
      expect(missing, name).toEqual([])
    }
  })

  test('has settings that the gateway starts with', () => {
    const image = { POSTERN_ENV: 'production', POSTERN_LISTEN: '0.0.0.0:8080', POSTERN_DATA_DIR: '/data' }
    const secrets = { POSTERN_MASTER_KEY: 'a'.repeat(64) }
    const [one] = documentsOf(join(root, 'deploy/compose/one-node.yaml')) as [Compose]
    const [three] = documentsOf(join(root, 'deploy/compose/three-nodes.yaml')) as [Compose]
    const [map] = documentsOf(join(root, 'deploy/kubernetes/postern.yaml')) as [{ data: Record<string, string> }]
    for (const given of [one.services.postern?.environment, three.services['postern-3']?.environment, map.data]) {
      const plain = Object.entries(given ?? {}).filter(([name]) => !name.endsWith('_FILE'))
      expect(plain.length).toBeGreaterThan(1)
      const env = { ...image, ...secrets, ...Object.fromEntries(plain) }
      const { config, warnings } = loadConfig({ env, terminal: false })
      expect([config.env, warnings]).toEqual(['production', []])
    }
  })

  test('has one file of settings for the unit and for commands, which the gateway starts with', () => {
    const file = '/etc/postern/postern.env'
    expect(read('deploy/systemd/postern.service')).toContain(`\nEnvironmentFile=${file}\n`)
    expect(read('deploy/systemd/postern.service')).not.toContain('\nEnvironment=')
    expect(read('deploy/systemd/postern-command.sh')).toContain(` --env-file=${file} `)
    const { POSTERN_MASTER_KEY_FILE, ...env } = parseEnv(read('deploy/systemd/postern.env'))
    expect(POSTERN_MASTER_KEY_FILE).toBe('/etc/postern/master.key')
    const loaded = loadConfig({ env: { ...env, POSTERN_MASTER_KEY: 'a'.repeat(64) }, terminal: false })
    expect([loaded.config.env, loaded.config.dataDir, loaded.warnings]).toEqual(['production', '/var/lib/postern', []])
  })

  test('gives a node more time to stop than it takes', () => {
    const { config } = loadConfig({
      env: { POSTERN_ENV: 'production', POSTERN_MASTER_KEY: 'a'.repeat(64) },
      terminal: false,
    })
    const needed = (config.shutdownDelayMs + config.shutdownTimeoutMs) / 1_000 + 10
    const [one] = documentsOf(join(root, 'deploy/compose/one-node.yaml')) as [Compose]
    expect(Number.parseInt(one.services.postern?.stop_grace_period ?? '', 10)).toBeGreaterThanOrEqual(needed)
    const [, unit] = /^TimeoutStopSec=(\d+)$/m.exec(read('deploy/systemd/postern.service')) ?? []
    expect(Number(unit)).toBeGreaterThanOrEqual(needed)
    const [map, deployment] = documentsOf(join(root, 'deploy/kubernetes/postern.yaml')) as [
      { data: Record<string, string> },
      { spec: { template: { spec: { terminationGracePeriodSeconds: number } } } },
    ]
    const seconds = (name: string) => Number.parseInt(map.data[name] ?? '', 10)
    const pod = seconds('POSTERN_SHUTDOWN_DELAY') + seconds('POSTERN_SHUTDOWN_TIMEOUT') + 10
    expect(deployment.spec.template.spec.terminationGracePeriodSeconds).toBeGreaterThanOrEqual(pod)
  })
})

type Compose = {
  services: Record<
    string,
    { environment?: Record<string, string>; volumes?: string[]; stop_grace_period?: string } | undefined
  >
}

/** Anchors and merges resolved; a mistake in a file fails the test. */
function documentsOf(file: string): unknown[] {
  return parseAllDocuments(readFileSync(file, 'utf8')).map((document) => {
    expect(document.errors, file).toEqual([])
    return document.toJS() as unknown
  })
}

test('the release check asks for a digest of every image that is named by tag', () => {
  const digest = `sha256:${'0123456789abcdef'.repeat(4)}`
  expect(imagesByTag(read('deploy/Dockerfile').replaceAll(/@sha256:\w+/g, ''))).toHaveLength(2)
  expect(imagesByTag(`ARG NODE_IMAGE=node:24@${digest}\nFROM \${NODE_IMAGE} AS node\nFROM debian@${digest}`)).toEqual(
    [],
  )
  expect(imagesByTag('ARG BASE_IMAGE=debian:12\nFROM alpine')).toEqual(['debian:12', 'alpine'])
  expect(JSON.parse(read('package.json')).scripts['release-check']).toContain('scripts/release/check-images.ts')
})
