import { readFileSync } from 'node:fs'

declare module 'vitest' {
  interface TaskMeta {
    /** Of a file: the processor time of its worker, and of the processes that it started and that have ended. */
    cpuMs?: number
  }
}

/** Processor time of this process so far, and on Linux of its children that have ended. */
export function cpuMsSoFar(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1_000 + childrenMs()
}

/** Ticks of 10 ms, in the fields 16 and 17; the name before them may have blanks. */
function childrenMs(): number {
  if (process.platform !== 'linux') return 0
  const fields = readFileSync('/proc/self/stat', 'utf8').split(') ').at(-1)?.split(' ') ?? []
  return 10 * (Number(fields[13]) + Number(fields[14]))
}
