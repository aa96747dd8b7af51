import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  createSecretKey,
  hash,
  hkdfSync,
  type KeyObject,
  randomBytes,
} from 'node:crypto'

/**
 * Keys for everything that is secret at rest, all derived from the operator's master key: one AES-256-GCM key and one
 * HMAC key per purpose. The additional data binds a sealed value to its row, so that a value copied into another row
 * does not open.
 */
export type Secrets = {
  /** Short fingerprint of the master key; stored beside sealed values so that a wrong key is told apart from damage. */
  readonly keyId: string
  seal(purpose: string, boundTo: string, plaintext: Uint8Array | string): string
  open(purpose: string, boundTo: string, sealed: string): Buffer
  /** Keyed hash for look-ups and comparisons; worthless without the master key. */
  mac(purpose: string, value: string | Uint8Array): Buffer
}

/** Told apart from damage: the operator gave the wrong key. */
export class SealedWithAnotherKey extends Error {
  override readonly name = 'SealedWithAnotherKey'
  constructor(keyId: string) {
    super(`This value was encrypted with another master key (${keyId}).`)
  }
}

const nonceBytes = 12
const tagBytes = 16

/** The first key seals; the others only open, while a rotation of the master key is under way. */
export function createSecrets(masterKey: Buffer, retiredKeys: Buffer[] = []): Secrets {
  const keys = [masterKey, ...retiredKeys].map((key) => ({
    id: fingerprint(key),
    key,
    derived: new Map<string, KeyObject>(),
  }))
  const [active] = keys
  if (!active) throw new Error('A master key is needed.')

  return {
    keyId: active.id,
    seal(purpose, boundTo, plaintext) {
      const nonce = randomBytes(nonceBytes)
      const cipher = createCipheriv('aes-256-gcm', derive(active, `seal:${purpose}`), nonce)
      cipher.setAAD(Buffer.from(`${purpose}\n${boundTo}`))
      const body = Buffer.concat([cipher.update(plaintext), cipher.final()])
      return `${active.id}.${Buffer.concat([nonce, body, cipher.getAuthTag()]).toString('base64url')}`
    },
    open(purpose, boundTo, sealed) {
      const [id = '', text = ''] = sealed.split('.', 2)
      const owner = keys.find((key) => key.id === id)
      if (!owner) throw new SealedWithAnotherKey(id)
      const bytes = Buffer.from(text, 'base64url')
      const decipher = createDecipheriv('aes-256-gcm', derive(owner, `seal:${purpose}`), bytes.subarray(0, nonceBytes))
      decipher.setAAD(Buffer.from(`${purpose}\n${boundTo}`))
      decipher.setAuthTag(bytes.subarray(bytes.length - tagBytes))
      return Buffer.concat([decipher.update(bytes.subarray(nonceBytes, bytes.length - tagBytes)), decipher.final()])
    },
    mac(purpose, value) {
      return createHmac('sha256', derive(active, `mac:${purpose}`))
        .update(value)
        .digest()
    },
  }
}

type MasterKey = { id: string; key: Buffer; derived: Map<string, KeyObject> }

/** As a KeyObject: an HMAC keyed with a Buffer costs several times as much on this Node. */
function derive(master: MasterKey, label: string): KeyObject {
  const known = master.derived.get(label)
  if (known) return known
  const derived = createSecretKey(Buffer.from(hkdfSync('sha256', master.key, 'postern', label, 32)))
  master.derived.set(label, derived)
  return derived
}

function fingerprint(key: Buffer): string {
  return createHash('sha256').update('postern master key').update(key).digest('hex').slice(0, 8)
}

const blockBytes = 64
const digestBytes = 32

/** The code of a text and, if there are any, of the bytes behind it. */
export type ShortMac = (encoding: 'base64' | 'binary' | 'hex', text: string, bytes?: Uint8Array) => string

/**
 * HMAC-SHA-256 (RFC 2104) of short messages. `createHmac` sets up a stream and looks its algorithm up for each of them, which
 * takes several times as long as the two hashes themselves. Between them the digest is a string: `hash` gives one in half of
 * the time that it needs for a buffer.
 */
export function createShortMac(key: Uint8Array): ShortMac {
  const start = key.length > blockBytes ? hash('sha256', key, 'buffer') : key
  const pad = (byte: number) => Buffer.from(Array.from({ length: blockBytes }, (_, at) => (start[at] ?? 0) ^ byte))
  const inner = pad(0x36)
  const outer = Buffer.concat([pad(0x5c), Buffer.alloc(digestBytes)])
  return (encoding, text, bytes) => {
    const textEnd = blockBytes + Buffer.byteLength(text)
    const message = Buffer.allocUnsafe(textEnd + (bytes?.length ?? 0))
    message.set(inner)
    message.write(text, blockBytes)
    if (bytes) message.set(bytes, textEnd)
    outer.write(hash('sha256', message, 'binary'), blockBytes, 'binary')
    return hash('sha256', outer, encoding)
  }
}
