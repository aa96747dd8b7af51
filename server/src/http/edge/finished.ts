import type { FastifyReply, FastifyRequest } from 'fastify'
import { type SendDeadline, sendDeadline } from '../../access/send-deadline.ts'
import { AppError } from '../../contract/app-error.ts'
import { createDeadlineWheel, type Deadline } from '../../lib/async/deadline-wheel.ts'
import { timedOut, withTimeout } from '../../lib/async/with-timeout.ts'
import { outcomeUnknown } from '../../messages/send/explain-refusal.ts'
import type { Runtime } from '../../runtime.ts'
import type { App } from './context.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** It came in, and has neither been answered nor lost its client. */
    isOpen: boolean
  }
}

/** As proxies write it: the client went away before it was answered. Nobody is ever answered with it. */
const clientLeft = 499

/** `status` is what the request came to: that of the answer, or 499 where the client left before it was out. */
type Finish = (request: FastifyRequest, reply: FastifyReply, status: number) => void

export type OnFinished = (finish: Finish) => void

/**
 * Calls once for every request that came in, whatever became of it. Fastify's own hook says nothing about clients that go
 * away before the answer, and those are the ones that time out.
 */
export function watchFinished(app: App): OnFinished {
  const all: Finish[] = []
  const once: Finish = (request, reply, status) => {
    if (!request.isOpen) return
    request.isOpen = false
    for (const finish of all) finish(request, reply, status)
  }
  app.decorateRequest('isOpen', false)
  app.addHook('onRequest', (request, reply, done) => {
    request.isOpen = true
    reply.raw.once('close', () => once(request, reply, isAnswered(reply) ? reply.statusCode : clientLeft))
    done()
  })
  app.addHook('onResponse', (request, reply, done) => {
    once(request, reply, reply.statusCode)
    done()
  })
  return (finish) => all.push(finish)
}

/** A stream of events has no end of its own: a client that disconnects got everything. */
function isAnswered({ raw }: FastifyReply): boolean {
  const isStream = String(raw.getHeader('content-type')).startsWith('text/event-stream')
  return raw.writableFinished || (raw.headersSent && isStream)
}

/** The same items; fails when the next one takes too long to arrive. Time between two calls of `next` does not count. */
export async function* withIdleLimit<T>(source: AsyncIterable<T>, idleMs: number): AsyncGenerator<T> {
  const iterator = source[Symbol.asyncIterator]()
  let finished = false
  try {
    for (;;) {
      const next = await withTimeout(iterator.next(), idleMs)
      if (next === timedOut) {
        throw new AppError('malformed_request', `No data of the body arrived for ${idleMs / 1_000} seconds.`)
      }
      if (next.done) {
        finished = true
        return
      }
      yield next.value
    }
  } finally {
    // Not awaited: a source that hangs also hangs here.
    if (!finished) void iterator.return?.().catch(() => {})
  }
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Of a send. */
    sendDeadline: SendDeadline | null
    lateAnswer: Deadline | null
  }
}

type Refuse = (error: AppError, request: FastifyRequest, reply: FastifyReply) => void

/**
 * Answers a send when its time is up, whatever it still waits for. Behind a database that has become slow, key, quota, repeat
 * and message each end within a limit of their own, and together after the client has given up.
 */
export function addAnswerInTime(app: App, rt: Runtime, onFinished: OnFinished, refuse: Refuse): void {
  const wheel = createDeadlineWheel()
  app.decorateRequest('sendDeadline', null).decorateRequest('lateAnswer', null)
  app.addHook('onRequest', (request, reply, done) => {
    if (request.routeOptions.config.answersInTime) {
      const deadline = sendDeadline(rt, request.arrivedMs)
      request.sendDeadline = deadline
      request.lateAnswer = wheel.start(deadline.lateAnswerMs(), () => answerLate(deadline, request, reply))
    }
    done()
  })
  onFinished((request) => request.lateAnswer?.cancel())
  app.addHook('onClose', (_app, done) => {
    wheel.close()
    done()
  })

  function answerLate(deadline: SendDeadline, request: FastifyRequest, reply: FastifyReply): void {
    // A body that is still on its way has a time limit of its own.
    if (!reply.sent && request.raw.complete) refuse(tooLate(deadline), request, reply)
  }
}

/** A platform call that hasn't started by now never will, see `grantSend`. */
function tooLate({ calledFor }: SendDeadline): AppError {
  const cause = new Error('The send timed out before its response was ready.')
  if (calledFor !== null) return outcomeUnknown(calledFor, cause)
  const message = 'The gateway waited too long for its database. Nothing was sent.'
  return new AppError('service_unavailable', message, { retryAfterSeconds: 1, cause })
}
