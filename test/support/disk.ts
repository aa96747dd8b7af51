import { execFile } from 'node:child_process'
import { open, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** A disk that stops taking writes while a process uses it, and takes them again. */
export type FaultyDisk = {
  fail(pid: number): Promise<void>
  heal(pid: number): Promise<void>
  remove(): Promise<void>
}

/**
 * A file system of its own that can be filled to the last byte: writes fail with ENOSPC. Mounting needs root; null where
 * that is not allowed.
 */
export async function smallDisk(folder: string, megabytes: number): Promise<FaultyDisk | null> {
  try {
    await run('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', folder])
  } catch {
    return null
  }
  const ballast = join(folder, 'ballast')
  return {
    fail: () => fill(ballast),
    heal: () => rm(ballast),
    async remove() {
      // Lazy: the process that writes there may still be ending.
      await run('umount', ['--lazy', folder])
    },
  }
}

/**
 * A limit on the size of files that no write gets past: SQLite reports an I/O error, as it does for EIO. Works for the
 * process of any user, because the hard limit stays.
 */
export function failingWrites(): FaultyDisk {
  const limit = (pid: number, bytes: string) => run('prlimit', ['--pid', String(pid), `--fsize=${bytes}:`])
  return {
    async fail(pid) {
      await limit(pid, '0')
    },
    async heal(pid) {
      await limit(pid, 'unlimited')
    },
    async remove() {},
  }
}

/**
 * Files and folder that nothing can be written to, like those of a disk that was made read-only: writes through open files
 * fail, and no file can be made. A mount cannot stand for it, because none becomes read-only while a file is open for
 * writing. The index of the log (-shm) stays as it is: it is memory that connections share. Null where the file system
 * has no such mark.
 */
export async function readOnlyFolder(folder: string): Promise<FaultyDisk | null> {
  const mark = (sign: '+i' | '-i', paths: readonly string[]) => run('chattr', [sign, ...paths])
  const probe = join(folder, 'probe')
  const file = await open(probe, 'w')
  try {
    await mark('+i', [probe])
    const refused = await file.write('x').then(
      () => false,
      () => true,
    )
    await mark('-i', [probe])
    if (!refused) return null
  } catch {
    return null
  } finally {
    await file.close()
    await rm(probe)
  }
  const entries = async () =>
    (await readdir(folder, { recursive: true, withFileTypes: true }))
      .filter((entry) => (entry.isFile() && !entry.name.endsWith('-shm')) || entry.isDirectory())
      .map(({ parentPath, name }) => join(parentPath, name))
  const heal = async () => {
    await mark('-i', [folder, ...(await entries())])
  }
  return {
    fail: async () => {
      await mark('+i', [...(await entries()), folder])
    },
    heal,
    remove: heal,
  }
}

async function fill(path: string): Promise<void> {
  const file = await open(path, 'w')
  try {
    // Ever smaller pieces, until not a single byte fits.
    for (let bytes = 1024 * 1024; bytes >= 1; ) {
      try {
        await file.write(Buffer.alloc(bytes))
      } catch (error) {
        if ((error as { code?: string }).code !== 'ENOSPC') throw error
        bytes = Math.floor(bytes / 2)
      }
    }
  } finally {
    await file.close()
  }
}
