import { expect } from 'vitest'
import type { RunningProcess } from './child-process.ts'
import type { Ready } from './serve.ts'

/**
 * Of a gateway that made its first start and was stopped: stdout has JSON lines only, one of them when it is ready, and
 * stderr has the log. The secret of the first start is in one of the lines, and nowhere else.
 */
export function expectJsonLines({ output }: RunningProcess): void {
  const lines = output.stdout.trimEnd().split('\n')
  expect(lines.map((line) => typeof JSON.parse(line))).toEqual(lines.map(() => 'object'))
  expect(lines.filter((line) => line.includes('"event":"ready"'))).toHaveLength(1)
  expect(output.stderr).toContain('"msg":"stopped"')
  const first = JSON.parse(lines[0] ?? '') as { event: string; api_secret: string }
  expect(first.event).toBe('first_run')
  expect(first.api_secret.length).toBeGreaterThan(20)
  expect(output.stderr).not.toContain(first.api_secret)
}

export function expectLocalAddresses({ base_url, admin_url, console_url }: Ready): void {
  for (const address of [base_url, admin_url, console_url]) expect(address).toMatch(/^http:\/\/localhost:\d+$/)
}
