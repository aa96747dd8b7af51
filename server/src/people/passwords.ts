import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { AppError, invalidField } from '../contract/app-error.ts'
import type { PasswordCost, Runtime } from '../runtime.ts'

const derive = promisify(argon2)
// OWASP's least: 19 MiB, two passes. 50 ms of one core here, off the main thread.
export const passwordCost: PasswordCost = { memory: 19_456, passes: 2, parallelism: 1 }
const saltBytes = 16
const tagBytes = 32

/** The requester: a signed-in person or a known browser has a separate concurrency limit from strangers. */
type Asker = 'known' | 'stranger'
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

/**
 * Words that people make passwords of, most of them from the top of every list of leaked ones; digits, signs and capitals
 * around them are taken off before a password is looked up here.
 */
const commonPasswords: ReadonlySet<string> = new Set(
  `password passwort passwd contrasena senha motdepasse wachtwoord parola passord losenord salasana haslo heslo
  letmein welcome welcomeback willkommen bienvenue bemvindo benvenuto iloveyou iloveu ilovemyself teamo teamomucho jetaime
  admin administrator root toor superuser sysadmin webadmin manager supervisor operator user username guest test tester testing
  testpassword default changeme changeit changethis newpassword mypassword thepassword secret topsecret mysecret secretpassword
  access accessdenied login logmein master mastermind masterkey system server computer internet network wireless
  qwerty qwertz azerty qwertyuiop qwertyuiopasdfgh qwertyqwerty asdfgh asdfghjkl zxcvbn zxcvbnm qazwsx qazwsxedc qazwsxedcrfv
  zaqxsw zaqwsx abcdef abcdefg abcdefgh abcdefghij abcdefghijkl abcabc aaaaaa
  football futbol fussball soccer baseball basketball hockey chelsea liverpool arsenal barcelona realmadrid juventus benfica
  sporting manchester manchesterunited dragon monkey tiger lion eagle falcon wolf shadow ninja samurai batman superman
  spiderman ironman starwars startrek pokemon pikachu minecraft fortnite naruto matrix trustno trustnoone whatever nothing
  sunshine moonlight rainbow butterfly princess prinzessin angel angels babygirl babyboy lovely lover forever beautiful
  flower sweetheart sweety cookie chocolate cheese banana orange pepper ginger summer winter spring autumn
  january february march april june july august september october november december monday friday sunday
  michael jennifer jessica ashley amanda daniel andrew joshua matthew anthony nicole michelle charlie thomas robert
  jordan george hunter taylor justin brandon maggie buster mercedes ferrari porsche corvette mustang harley yamaha
  freedom liberty america canada brasil brazil portugal london berlin paris madrid india pakistan
  company business enterprise office customer service support helpdesk marketing sales accounting
  postern gateway whatsapp whatsappbusiness facebook google microsoft windows android iphone samsung linux ubuntu
  helloworld hello hellohello goodmorning goodluck godbless jesus jesuschrist christ blessed blessing amen
  blink fuckyou fuckoff asshole killer hacker gangster money dollar million billion mother father brother sister family
  correcthorsebatterystaple loremipsum`.split(/\s+/),
)

type Person = { name: string; email: string | null }

/** Common passwords are rejected, whatever their length; everything else is the person's choice. */
export function requireUncommonPassword(field: string, password: string, { name, email }: Person): void {
  const own = [name, email?.split('@', 1)[0] ?? ''].map(lettersOf).filter((word) => word.length >= 3)
  if (!isCommon(password) && !own.includes(lettersOf(password))) return
  const message = 'This password is too common. Use several words, or let a password manager create one.'
  throw invalidField(field, 'invalid_value', message)
}

/** A common word with digits and signs around it, a few signs repeated, or a row of the keyboard or of numbers. */
function isCommon(password: string): boolean {
  const plain = password.toLowerCase()
  return (
    [lettersOf(plain), lettersOf(unswapped(plain))].some((letters) => commonPasswords.has(letters)) ||
    isRepeated(plain) ||
    rows.some((row) => row.includes(plain))
  )
}

const rows = [
  '01234567890123456789',
  '98765432109876543210',
  'abcdefghijklmnopqrstuvwxyz',
  'qwertyuiopasdfghjklzxcvbnm',
]
const unitMax = 4

/** `abcabcabcabc`, `1111111111`. */
function isRepeated(text: string): boolean {
  for (let length = 1; length <= unitMax; length++) {
    if (
      text ===
      text
        .slice(0, length)
        .repeat(Math.ceil(text.length / length))
        .slice(0, text.length)
    )
      return true
  }
  return false
}

const swaps: Record<string, string> = { 0: 'o', 1: 'i', 3: 'e', 4: 'a', 5: 's', 7: 't', '@': 'a', $: 's', '!': 'i' }

/** `p4$$w0rd` without what stands before and after it. */
function unswapped(text: string): string {
  const core = text.replace(/[^\p{L}$@]+$/u, '')
  return [...core].map((sign) => swaps[sign] ?? sign).join('')
}

function lettersOf(text: string): string {
  return text
    .toLowerCase()
    .normalize('NFKD')
    .replace(/[^\p{L}]/gu, '')
}
