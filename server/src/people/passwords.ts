import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { AppError } from '../contract/app-error.ts'
import type { PasswordCost, Runtime } from '../runtime.ts'

const derive = promisify(argon2)
// OWASP's least: 19 MiB, two passes. 50 ms of one core here, off the main thread.
export const passwordCost: PasswordCost = { memory: 19_456, passes: 2, parallelism: 1 }
const saltBytes = 16
const tagBytes = 32

/** Who asks: a person signed in or in a known browser has a concurrency limit apart from that of strangers. */
export type Asker = 'known' | 'stranger'
/** argon2 takes 19 MiB and one of four threads for 50 ms; without a bound a crowd would use the whole process up. */
const limits = { known: { max: 1, waitMaxMs: 5_000 }, stranger: { max: 2, waitMaxMs: 1_000 } } as const
const retryAfterSeconds = 2

type Limits = Pick<Runtime, 'throttles'>
type Tools = Pick<Runtime, 'throttles' | 'passwordCost'>

/** A password at rest, in the usual notation, so that the cost can grow one day without asking anyone. */
export async function hashPassword(rt: Tools, password: string): Promise<string> {
  const salt = randomBytes(saltBytes)
  const tag = await limited(rt, 'known', () => digest(password, salt, rt.passwordCost))
  return notation(rt.passwordCost, salt, tag)
}

/** Takes as long for a person without password, or who does not exist: pass null. */
export async function passwordMatches(
  rt: Tools,
  asker: Asker,
  password: string,
  stored: string | null,
): Promise<boolean> {
  const match = pattern.exec(stored ?? notation(rt.passwordCost, noSalt, noTag))
  if (!match) throw new Error('A password is stored in an unknown form.')
  const [, memory, passes, parallelism, salt = '', tag = ''] = match
  const parameters = { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) }
  const given = await limited(rt, asker, () => digest(password, Buffer.from(salt, 'base64'), parameters))
  return timingSafeEqual(given, Buffer.from(tag, 'base64')) && stored !== null
}

const pattern = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([\w+/]+)\$([\w+/]+)$/
const noSalt = Buffer.alloc(saltBytes)
const noTag = Buffer.alloc(tagBytes)

function notation({ memory, passes, parallelism }: PasswordCost, salt: Buffer, tag: Buffer): string {
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${encode(salt)}$${encode(tag)}`
}

async function limited<T>(rt: Limits, asker: Asker, task: () => Promise<T>): Promise<T> {
  const { max, waitMaxMs } = limits[asker]
  const release = await rt.throttles.passwordHashing.acquire(asker, max, waitMaxMs)
  if (!release) {
    const sentence = 'Too many people are signing in right now. Wait a moment, then try again.'
    throw new AppError('too_many_attempts', sentence, { retryAfterSeconds })
  }
  try {
    return await task()
  } finally {
    release()
  }
}

function digest(password: string, salt: Buffer, { memory, passes, parallelism }: PasswordCost): Promise<Buffer> {
  // The same text typed on two systems may arrive in two forms; NFKC makes them one.
  const message = Buffer.from(password.normalize('NFKC'))
  return derive('argon2id', { message, nonce: salt, parallelism, tagLength: tagBytes, memory, passes })
}

function encode(bytes: Buffer): string {
  return bytes.toString('base64').replaceAll('=', '')
}
