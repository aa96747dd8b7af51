import { chmodSync, closeSync, openSync, statSync } from 'node:fs'

/**
 * Makes a file that exists readable by its owner alone. A file of another user, or on a read-only disk, stays as it is.
 */
export function keepPrivate(path: string): void {
  const found = statSync(path, { throwIfNoEntry: false })
  if (!found || (found.mode & 0o077) === 0) return
  try {
    chmodSync(path, 0o600)
  } catch (error) {
    if (!['EPERM', 'EROFS'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error
  }
}

/**
 * Makes an empty file that only its owner can read, for a program that would make it for everybody; leaves one that
 * exists.
 */
export function createPrivate(path: string): void {
  if (!statSync(path, { throwIfNoEntry: false })) closeSync(openSync(path, 'a', 0o600))
}
