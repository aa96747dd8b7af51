import { isIP } from 'node:net'
import { resolve } from 'node:path'
import { dayMs } from '../lib/durations.ts'

/**
 * Parses the text of a setting. Every source (flag, environment, file, default) is text first, so each kind
 * has one reader. `parse` returns undefined for invalid text; `must` completes the sentence "POSTERN_X ...".
 */
export type Kind<Value> = {
  readonly type: 'string' | 'int' | 'seconds' | 'bool' | 'enum' | 'listen' | 'url' | 'list' | 'path'
  readonly must: string
  parse(text: string): Value | undefined
  show(value: Value): string
  /** For addresses, whose flag carries the port only: `--port 0` keeps the host that was set below. */
  withPort?(port: string, below: Value): Value | undefined
}

export type Listen = { readonly host: string; readonly port: number }

export const masterKeyBytes = 32
const portMax = 65_535

export function string(must: string, pattern: RegExp): Kind<string> {
  return { type: 'string', must, parse: (text) => (pattern.test(text) ? text : undefined), show: (value) => value }
}

export function int(min: number, max: number): Kind<number> {
  return {
    type: 'int',
    must: `must be a whole number from ${min} to ${max}`,
    parse: (text) => within(min, max, /^\d{1,15}$/.test(text) ? Number(text) : undefined),
    show: String,
  }
}

export function countOrAuto(max: number): Kind<number | 'auto'> {
  const { parse } = int(1, max)
  return {
    type: 'string',
    must: `must be auto or a whole number from 1 to ${max}`,
    parse: (text) => (text === 'auto' ? text : parse(text)),
    show: String,
  }
}

/** A duration kept in seconds, because tokens and HTTP headers speak in seconds. */
export function seconds(min: number, max: number): Kind<number> {
  return {
    type: 'seconds',
    must: `must be from ${min} to ${max} whole seconds, such as 90, 15m or 24h`,
    parse(text) {
      const value = durationMs(text)
      return value === undefined || value % 1000 !== 0 ? undefined : within(min, max, value / 1000)
    },
    show: String,
  }
}

/** A duration written in seconds and kept in milliseconds, because it ends in a timer. */
export function secondsToMs(maxSeconds: number): Kind<number> {
  return {
    type: 'seconds',
    must: `must be from 0 to ${maxSeconds} seconds, such as 25, 1m or 500ms`,
    parse: (text) => within(0, maxSeconds * 1000, durationMs(text)),
    show: showDuration,
  }
}

/** Delays one after the other, written in seconds or with a unit, kept in milliseconds. */
export function schedule(): Kind<readonly number[]> {
  return {
    type: 'list',
    must: 'must be 1 to 50 delays such as 0,5s,2m,6h, each at most 7 days',
    parse(text) {
      const delays = entries(text).map((entry) => within(0, 7 * dayMs, durationMs(entry)))
      return delays.length >= 1 && delays.length <= 50 ? allDefined(delays) : undefined
    },
    show: (delays) => delays.map(showDuration).join(','),
  }
}

export function bool(): Kind<boolean> {
  return {
    type: 'bool',
    must: 'must be true or false',
    parse: (text) => ({ true: true, '1': true, false: false, '0': false })[text],
    show: String,
  }
}

export function oneOf<const Choice extends string>(...choices: readonly Choice[]): Kind<Choice> {
  return {
    type: 'enum',
    must: `must be one of ${choices.join(', ')}`,
    parse: (text) => choices.find((choice) => choice === text),
    show: (value) => value,
  }
}

export function listen(): Kind<Listen> {
  return {
    type: 'listen',
    must: 'must be host:port, such as 127.0.0.1:8080 or [::1]:8080 (port 0 picks a free one)',
    parse: parseListen,
    show: showListen,
    withPort: (port, below) => atPort(port, below.host),
  }
}

export function listenOrOff(): Kind<Listen | 'off'> {
  return {
    type: 'listen',
    must: 'must be host:port, such as 127.0.0.1:8081, or off',
    parse: (text) => (text === 'off' ? 'off' : parseListen(text)),
    show: (value) => (value === 'off' ? 'off' : showListen(value)),
    withPort: (port, below) => (port === 'off' ? 'off' : atPort(port, below === 'off' ? '127.0.0.1' : below.host)),
  }
}

/** An address that paths are appended to: no query, no fragment, no final slash. */
export function url(options: { credentials: boolean }): Kind<string> {
  return {
    type: 'url',
    must: `must be an http or https address without query${options.credentials ? '' : ', user name'} or fragment`,
    parse(text) {
      const parsed = URL.parse(text)
      if (!parsed || !/^https?:$/.test(parsed.protocol) || parsed.search || parsed.hash) return undefined
      if (!options.credentials && (parsed.username || parsed.password)) return undefined
      return parsed.href.replace(/\/+$/, '')
    },
    show: (value) => value,
  }
}

export function list(must: string, accepts: (entry: string) => boolean): Kind<readonly string[]> {
  return {
    type: 'list',
    must,
    parse: (text) => (entries(text).every(accepts) ? entries(text) : undefined),
    show: (values) => values.join(','),
  }
}

export function path(): Kind<string> {
  return { type: 'path', must: 'must be a path', parse: (text) => resolve(text), show: (value) => value }
}

export function masterKey(): Kind<Buffer> {
  return {
    type: 'string',
    must: `must be ${masterKeyBytes} random bytes as 64 hexadecimal digits or 44 characters of base64`,
    parse: parseMasterKey,
    show: () => 'set',
  }
}

export function parseMasterKey(text: string): Buffer | undefined {
  if (/^[0-9a-f]{64}$/i.test(text)) return Buffer.from(text, 'hex')
  if (!/^[A-Za-z0-9+/_-]{43}=$/.test(text)) return undefined
  const key = Buffer.from(text, 'base64')
  return key.length === masterKeyBytes ? key : undefined
}

export function isHostName(entry: string): boolean {
  return entry.length <= 253 && /^[a-z0-9]([a-z0-9-]{0,62})(\.[a-z0-9][a-z0-9-]{0,62})*$/i.test(entry)
}

export function isOrigin(entry: string): boolean {
  const parsed = URL.parse(entry)
  return parsed !== null && /^https?:$/.test(parsed.protocol) && parsed.origin === entry
}

const unitMs = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const

function durationMs(text: string): number | undefined {
  const match = /^(\d{1,12}(?:\.\d{1,3})?)(ms|s|m|h|d)?$/.exec(text)
  if (!match) return undefined
  const unit = (match[2] ?? 's') as keyof typeof unitMs
  return Math.round(Number(match[1]) * unitMs[unit])
}

function showDuration(ms: number): string {
  if (ms === 0) return '0s'
  const unit = (['d', 'h', 'm', 's'] as const).find((candidate) => ms % unitMs[candidate] === 0) ?? 'ms'
  return `${ms / unitMs[unit]}${unit}`
}

function parseListen(text: string): Listen | undefined {
  const match = /^(?:\[([0-9a-f:.]+)\]|([^:\s[\]]+)):(\d{1,5})$/i.exec(text)
  const host = match?.[1] ?? match?.[2] ?? ''
  if (match?.[1] !== undefined ? isIP(host) !== 6 : !isHostName(host)) return undefined
  return atPort(match?.[3] ?? '', host)
}

function atPort(text: string, host: string): Listen | undefined {
  const port = within(0, portMax, /^\d{1,5}$/.test(text) ? Number(text) : undefined)
  return port === undefined ? undefined : { host, port }
}

function showListen({ host, port }: Listen): string {
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`
}

function within(min: number, max: number, value: number | undefined): number | undefined {
  return value !== undefined && value >= min && value <= max ? value : undefined
}

function entries(text: string): string[] {
  return text
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')
}

function allDefined(values: readonly (number | undefined)[]): number[] | undefined {
  const defined = values.filter((value) => value !== undefined)
  return defined.length === values.length ? defined : undefined
}
