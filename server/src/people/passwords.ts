import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { AppError } from '../contract/app-error.ts'
import type { Runtime } from '../runtime.ts'

const derive = promisify(argon2)
// OWASP's least: 19 MiB, two passes. 50 ms of one core here, off the main thread.
const cost = { memory: 19_456, passes: 2, parallelism: 1 } as const
const saltBytes = 16
const tagBytes = 32

/** Who asks: a person signed in or in a known browser has a concurrency limit apart from that of strangers. */
export type Asker = 'known' | 'stranger'
/** argon2 takes 19 MiB and one of four threads for 50 ms; without a bound a crowd would use the whole process up. */
const limits = { known: { max: 1, waitMaxMs: 5_000 }, stranger: { max: 2, waitMaxMs: 1_000 } } as const
const retryAfterSeconds = 2

type Limits = Pick<Runtime, 'throttles'>

/** A password at rest, in the usual notation, so that the cost can grow one day without asking anyone. */
export async function hashPassword(rt: Limits, password: string): Promise<string> {
  const salt = randomBytes(saltBytes)
  const tag = await limited(rt, 'known', () => digest(password, salt, cost))
  const { memory, passes, parallelism } = cost
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${encode(salt)}$${encode(tag)}`
}

/** Takes as long for a person without password, or who does not exist: pass null. */
export async function passwordMatches(
  rt: Limits,
  asker: Asker,
  password: string,
  stored: string | null,
): Promise<boolean> {
  const match = pattern.exec(stored ?? nobody)
  if (!match) throw new Error('A password is stored in an unknown form.')
  const [, memory, passes, parallelism, salt = '', tag = ''] = match
  const parameters = { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) }
  const given = await limited(rt, asker, () => digest(password, Buffer.from(salt, 'base64'), parameters))
  return timingSafeEqual(given, Buffer.from(tag, 'base64')) && stored !== null
}

const pattern = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([\w+/]+)\$([\w+/]+)$/
const nobody = `$argon2id$v=19$m=${cost.memory},t=${cost.passes},p=${cost.parallelism}$${encode(Buffer.alloc(saltBytes))}$${encode(Buffer.alloc(tagBytes))}`

async function limited<T>(rt: Limits, asker: Asker, task: () => Promise<T>): Promise<T> {
  const { max, waitMaxMs } = limits[asker]
  const release = await rt.throttles.passwordHashing.acquire(asker, max, waitMaxMs)
  if (!release) {
    const sentence = 'Too many people are signing in at this moment. Wait a moment, then try again.'
    throw new AppError('too_many_attempts', sentence, { retryAfterSeconds })
  }
  try {
    return await task()
  } finally {
    release()
  }
}

type Cost = { memory: number; passes: number; parallelism: number }

function digest(password: string, salt: Buffer, { memory, passes, parallelism }: Cost): Promise<Buffer> {
  // The same text typed on two systems may arrive in two forms; NFKC makes them one.
  const message = Buffer.from(password.normalize('NFKC'))
  return derive('argon2id', { message, nonce: salt, parallelism, tagLength: tagBytes, memory, passes })
}

function encode(bytes: Buffer): string {
  return bytes.toString('base64').replaceAll('=', '')
}
