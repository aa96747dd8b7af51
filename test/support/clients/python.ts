import { spawnSync } from 'node:child_process'
import { join } from 'node:path'

/** The path of a Python with these packages, in a folder of its own; null where Python or its packages cannot be had. */
export function pythonWith(packages: readonly string[], folder: string): string | null {
  const made = spawnSync('python3', ['-m', 'venv', folder])
  const installed = made.status === 0 && spawnSync(join(folder, 'bin/pip'), ['install', '-q', ...packages])
  return installed && installed.status === 0 ? join(folder, 'bin/python') : null
}
