import type { FastifyReply, FastifyRequest } from 'fastify'
import { type SendDeadline, sendDeadline } from '../../access/send-deadline.ts'
import { AppError } from '../../contract/app-error.ts'
import { createDeadlineWheel, type Deadline } from '../../lib/async/deadline-wheel.ts'
import { outcomeUnknown } from '../../messages/send/explain-refusal.ts'
import type { Runtime } from '../../runtime.ts'
import type { App } from '../edge/context.ts'
import type { OnFinished } from '../edge/finished.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Of a send. */
    sendDeadline: SendDeadline | null
    lateAnswer: Deadline | null
  }
}

export type Refuse = (error: AppError, request: FastifyRequest, reply: FastifyReply) => void

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

/** What was not called by now never will be, see `grantSend`. */
function tooLate({ calledFor }: SendDeadline): AppError {
  const cause = new Error('The send timed out before its response was ready.')
  if (calledFor !== null) return outcomeUnknown(calledFor, cause)
  const message = 'The gateway waited too long for its database. This request has sent nothing.'
  return new AppError('service_unavailable', message, { retryAfterSeconds: 1, cause })
}
