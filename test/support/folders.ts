import { existsSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'

/**
 * For the data of one test. A killed process loses nothing that is kept in memory, and no test waits for a disk that the
 * others use as well: a commit waits about 1 ms for a quiet disk, and longer for a busy one. Proofs meet the disk.
 */
export function dataFolder(): string {
  return process.env.PROOF_SCALE === undefined ? memoryFolder() : diskFolder()
}

/** Cloning a database takes about 15 ms in memory, 150 ms on a busy disk; Docker's default of 64 MB is too small. */
export function memoryFolder(): string {
  if (!existsSync('/dev/shm')) return tmpdir()
  const { bavail, bsize } = statfsSync('/dev/shm')
  return bavail * bsize > 2 ** 30 ? '/dev/shm' : tmpdir()
}

/** /var/tmp where /tmp is memory: a durable server has to meet a real disk. */
export function diskFolder(): string {
  const tmpfsMagic = 0x01021994
  const inMemory = statfsSync(tmpdir()).type === tmpfsMagic
  return inMemory && existsSync('/var/tmp') ? '/var/tmp' : tmpdir()
}
