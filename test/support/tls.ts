import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import selfsigned from 'selfsigned'

export type Certificate = { cert: string; key: string }

export type TestCertificates = {
  /** PEM text of the authority that signed `trusted`, `expired` and `wrongName`. */
  ca: string
  /** For localhost, 127.0.0.1 and ::1. */
  trusted: Certificate
  /** Ended in 2021. */
  expired: Certificate
  /** For elsewhere.test only. */
  wrongName: Certificate
  /** Signed by nobody but itself. */
  selfSigned: Certificate
}

let made: Promise<TestCertificates> | undefined

/** Certificates for TLS tests, made once per process (about 0.3 s). */
export function testCertificates(): Promise<TestCertificates> {
  made ??= makeCertificates()
  return made
}

/** Writes the authority to a file, for settings that name one. `remove` deletes it. */
export async function caFile(): Promise<{ file: string; remove(): void }> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'postern-ca-'))
  const file = path.join(folder, 'ca.pem')
  fs.writeFileSync(file, (await testCertificates()).ca)
  return { file, remove: () => fs.rmSync(folder, { recursive: true, force: true }) }
}

type Extensions = NonNullable<NonNullable<Parameters<typeof selfsigned.generate>[1]>['extensions']>

const LOCAL_NAMES: Extensions = [
  {
    name: 'subjectAltName',
    altNames: [
      { type: 2, value: 'localhost' },
      { type: 7, ip: '127.0.0.1' },
      { type: 7, ip: '::1' },
    ],
  },
]

async function makeCertificates(): Promise<TestCertificates> {
  const authority = await generate('Postern test authority', [
    { name: 'basicConstraints', cA: true, critical: true },
    { name: 'keyUsage', keyCertSign: true, critical: true },
  ])
  const signed = { ca: { key: authority.key, cert: authority.cert } }
  const past = { notBeforeDate: new Date('2020-01-01'), notAfterDate: new Date('2021-01-01') }
  const elsewhere: Extensions = [{ name: 'subjectAltName', altNames: [{ type: 2, value: 'elsewhere.test' }] }]
  const [trusted, expired, wrongName, selfSigned] = await Promise.all([
    generate('localhost', LOCAL_NAMES, signed),
    generate('localhost', LOCAL_NAMES, { ...signed, ...past }),
    generate('elsewhere.test', elsewhere, signed),
    generate('localhost', LOCAL_NAMES),
  ])
  return { ca: authority.cert, trusted, expired, wrongName, selfSigned }
}

type Options = Pick<NonNullable<Parameters<typeof selfsigned.generate>[1]>, 'ca' | 'notBeforeDate' | 'notAfterDate'>

async function generate(commonName: string, extensions: Extensions, options: Options = {}): Promise<Certificate> {
  const name = [{ name: 'commonName', value: commonName }]
  const made = await selfsigned.generate(name, { keyType: 'ec', algorithm: 'sha256', extensions, ...options })
  return { cert: made.cert, key: made.private }
}
