/** Plays the calls of one client and prints what each gave: a value, or what was thrown. */

import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

const { callsOf } = await import(pathToFileURL(resolve(process.argv[2])).href)
const {
  BASE: base,
  TOKEN: token,
  NUMBER: number,
  WABA: waba,
  CUSTOMER: to,
  INBOUND: inbound,
  PICTURE: picture,
} = process.env
const calls = callsOf({ base, token, number, waba, to, inbound, picture })
const given = {}
for (const [name, call] of Object.entries(calls)) {
  given[name] = await call().catch((error) => ({
    thrown: error.constructor.name,
    code: error.code ?? error.response?.data?.error?.code ?? error.error?.code,
    status: error.status ?? error.response?.status,
  }))
}
process.stdout.write(`${JSON.stringify(given)}\n`)
process.exit(0)
