import { type Server as HttpServer, STATUS_CODES } from 'node:http'
import { createServer, type Server, type Socket } from 'node:net'
import { authorize } from '../accounts/auth.ts'
import { recipientKey } from '../messages/behaviour.ts'
import { magicEffects } from '../messages/magic-recipients.ts'
import { postMessage } from '../messages/messages.ts'
import type { Platform } from '../platform.ts'
import { asGraphError, unknownNode } from './errors.ts'
import { errorReply, headersFor, type Reply } from './http.ts'
import { isRecord, type Json, parse, text } from './json.ts'

const HEAD_BYTES_MAX = 16 * 1024
const BODY_BYTES_MAX = 1024 * 1024
const END_OF_HEAD = Buffer.from('\r\n\r\n')

/**
 * Sends are nearly all of the traffic, and Node's general HTTP server costs twice what a send does (58 of 90 us). So a
 * connection begins here, where only `POST /{phone_number_id}/messages` with JSON is understood. The first request that
 * is anything else, or that a scenario or a magic recipient may interfere with, passes the connection, with every byte
 * not yet answered, to the general server for good.
 */
export function createFastLane(platform: Platform, general: HttpServer): { server: Server; closeAll: () => void } {
  const sockets = new Set<Socket>()
  const server = createServer({ noDelay: true }, (socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    socket.on('error', () => socket.destroy())
    let unread: Buffer | null = null
    const onData = (chunk: Buffer) => {
      unread = unread === null ? chunk : Buffer.concat([unread, chunk])
      unread = answerAll(platform, socket, unread)
      if (unread === null || isBeginning(unread)) return
      socket.off('data', onData)
      handOver(general, socket, unread)
    }
    socket.on('data', onData)
  })
  const closeAll = () => {
    for (const socket of sockets) socket.destroy()
  }
  return { server, closeAll }
}

type Send = { numberId: string; token: string; proof: string | undefined; source: string; body: Json; bytes: number }

/** Answers every whole send at the front of the buffer; what remains is the beginning of one, or something else. */
function answerAll(platform: Platform, socket: Socket, buffer: Buffer): Buffer | null {
  let rest = buffer
  for (;;) {
    const send = platform.behaviour.hasRules ? null : readSend(rest)
    if (send === null || hasFate(send)) return rest
    write(socket, carryOut(platform, send))
    if (rest.length === send.bytes) return null
    rest = rest.subarray(send.bytes)
  }
}

const REQUEST_LINE = /^POST (?:\/v\d+\.\d+)?\/(\d+)\/messages(?:\?appsecret_proof=([0-9a-f]+))? HTTP\/1\.1\r\n/
const CONTENT_LENGTH = /\r\ncontent-length: *(\d+)(?:\r\n|$)/i
const BEARER = /\r\nauthorization: *Bearer ([^\r]+)/i
const JSON_TYPE = /\r\ncontent-type: *application\/json/i
const GENERAL_ONLY = /\r\n(?:expect|transfer-encoding|connection: *close|content-encoding)/i

function readSend(buffer: Buffer): Send | null {
  const headEnd = buffer.indexOf(END_OF_HEAD)
  if (headEnd === -1) return null
  const head = buffer.toString('latin1', 0, headEnd)
  const [, numberId, proof] = REQUEST_LINE.exec(head) ?? []
  const lengthBytes = Number(CONTENT_LENGTH.exec(head)?.[1])
  const token = BEARER.exec(head)?.[1]
  if (numberId === undefined || token === undefined || !JSON_TYPE.test(head) || GENERAL_ONLY.test(head)) return null
  const start = headEnd + END_OF_HEAD.length
  const bytes = start + lengthBytes
  if (!(buffer.length >= bytes)) return null
  const source = buffer.toString('utf8', start, bytes)
  const body = parse(source)
  return isRecord(body) ? { numberId, token: token.trimEnd(), proof, source, body, bytes } : null
}

/** Might this still become a send once more bytes arrive? */
function isBeginning(buffer: Buffer): boolean {
  const headEnd = buffer.indexOf(END_OF_HEAD)
  if (headEnd === -1)
    return buffer.length < HEAD_BYTES_MAX && buffer.toString('latin1', 0, 6) === 'POST /'.slice(0, buffer.length)
  const head = buffer.toString('latin1', 0, headEnd)
  const missingBytes = headEnd + END_OF_HEAD.length + Number(CONTENT_LENGTH.exec(head)?.[1]) - buffer.length
  return REQUEST_LINE.test(head) && !GENERAL_ONLY.test(head) && missingBytes > 0 && missingBytes < BODY_BYTES_MAX
}

function hasFate({ body }: Send): boolean {
  const to = text(body.to)
  return to !== undefined && magicEffects(recipientKey(to), body.type === 'template')?.hang === true
}

function carryOut(platform: Platform, { numberId, token: value, proof, body, source }: Send): Reply {
  try {
    const token = authorize(platform, value, proof)
    const number = platform.world.numbers.get(numberId)
    if (number === undefined || !token.wabaIds.includes(number.wabaId)) throw unknownNode('POST', numberId)
    return postMessage(platform, number, body, source, null)
  } catch (error) {
    return errorReply(asGraphError(platform.log, error))
  }
}

function write(socket: Socket, { status, body, headers }: Reply): void {
  if (typeof body !== 'string') throw new Error('a send is answered with text')
  const pairs = headersFor(body, headers)
  let head = `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n`
  for (let i = 0; i < pairs.length; i += 2) head += `${pairs[i]}: ${pairs[i + 1]}\r\n`
  socket.write(`${head}\r\n${body}`)
}

function handOver(general: HttpServer, socket: Socket, unread: Buffer): void {
  socket.pause()
  socket.unshift(unread)
  general.emit('connection', socket)
  process.nextTick(() => socket.resume())
}
