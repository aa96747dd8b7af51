import { ownEnv } from './env.ts'
import { runCommand } from './run-command.ts'

// Whatever this program writes is for its owner alone: texts of customers, keys, backups.
process.umask(0o077)

// Who reads the results may close the pipe before their end: `postern openapi | head`.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error
})

process.exitCode = await runCommand(process.argv.slice(2), {
  env: ownEnv,
  stdout: process.stdout,
  stderr: process.stderr,
  signals: process,
  // Opened when it is read: most commands do not.
  get stdin() {
    return process.stdin
  },
})
