import { ConfigError } from './config/config.ts'
import { StoreRefusesToStart } from './store/engine/store-error.ts'

type SystemError = Error & {
  code?: string
  syscall?: string
  path?: string
  port?: number
  address?: string
  hostname?: string
}

/** The one sentence that tells an operator why the program did not start and what to do; null for a bug of ours. */
export function explainStartFailure(error: unknown): string | null {
  if (error instanceof ConfigError || error instanceof StoreRefusesToStart || error instanceof StartRefused)
    return error.message
  if (!(error instanceof Error)) return null
  const { code, syscall, path, port, address, hostname } = error as SystemError
  if (code === 'EADDRINUSE') {
    return `Port ${port} is in use by another program: stop it, or choose another port with --port (0 means any free port).`
  }
  if (code === 'EACCES' && syscall === 'listen')
    return `Listening on port ${port} is not permitted: choose one above 1023.`
  if (code === 'EADDRNOTAVAIL') return `The address ${address ?? ''} is not one of this machine: see POSTERN_LISTEN.`
  if (syscall === 'getaddrinfo')
    return `There is no address for the host ${hostname ?? ''} (${code}): see POSTERN_LISTEN and POSTERN_ADMIN_LISTEN.`
  if (code === 'EACCES' || code === 'EROFS' || code === 'EPERM') {
    return `The data folder is not writable (${path ?? 'unknown path'}): give this user write permission, or choose another with --data.`
  }
  if (code === 'ENOTDIR' || code === 'EEXIST')
    return `The data folder ${path ?? ''} is not a folder: choose another with --data.`
  if (code === 'ENOSPC' || /database or disk is full/.test(error.message))
    return 'The disk of the data folder is full: free up space, then start again.'
  if (code === 'EIO' || code === 'EFBIG' || /disk I\/O error/.test(error.message))
    return `The disk of the data folder fails (${error.message}): check the disk and the limits of this user, or choose another with --data.`
  return /unable to open database file|readonly database/.test(error.message)
    ? 'The data folder is not writable: give this user write permission, or choose another with --data.'
    : null
}

/** A refusal to start that is nobody's bug. */
export class StartRefused extends Error {
  override readonly name = 'StartRefused'
}
