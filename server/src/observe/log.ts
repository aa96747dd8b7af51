import { type Logger, pino } from 'pino'
import { maskText } from '../lib/text/mask.ts'
import { prettyLine } from './log-pretty.ts'
import { type LogFields, redactFields } from './log-redaction.ts'

export type LogLevel = 'debug' | 'info' | 'warn' | 'error' | 'silent'

/**
 * One wide line for each unit of work: `log.info({ request_id, route, status }, 'request.finished')`. Fields carry what
 * varies, the message names what happened.
 */
export type Log = {
  debug(fields: LogFields, message: string): void
  info(fields: LogFields, message: string): void
  warn(fields: LogFields, message: string): void
  error(fields: LogFields, message: string): void
  /** The same log with these fields on every line. */
  child(fields: LogFields): Log
}

export type LogOptions = {
  readonly level: LogLevel
  readonly format: 'json' | 'pretty'
  readonly destination?: { write(line: string): unknown }
}

/** Logs go to stderr, always: stdout belongs to the results of commands. */
export function createLogger({ level, format, destination = stderr() }: LogOptions): Log {
  const sink = format === 'json' ? destination : { write: (line: string) => destination.write(prettyLine(line)) }
  const options = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
  }
  return redacting(pino(options, sink))
}

/** The only way to the logger underneath, so that no line and no child can miss the redaction. */
function redacting(logger: Logger): Log {
  const writer = (level: Exclude<LogLevel, 'silent'>) => (fields: LogFields, message: string) => {
    if (logger.isLevelEnabled(level)) logger[level](redactFields(fields), maskText(message))
  }
  return {
    debug: writer('debug'),
    info: writer('info'),
    warn: writer('warn'),
    error: writer('error'),
    child: (fields) => redacting(logger.child(redactFields(fields))),
  }
}

/** Written synchronously, so that the line before a crash is not the one that is missing. */
function stderr(): { write(line: string): unknown } {
  return pino.destination({ fd: 2, sync: true })
}
