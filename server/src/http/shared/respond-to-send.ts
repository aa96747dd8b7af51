import type { FastifyReply, FastifyRequest } from 'fastify'
import Type, { type Static, type TSchema } from 'typebox'
import { sendDeadline } from '../../access/send-deadline.ts'
import { answer, ok } from '../../contract/envelope.ts'
import { DryRun } from '../../contract/messages/send-answers.ts'
import { ref } from '../../contract/schema.ts'
import { isRecord } from '../../lib/is-record.ts'
import { dryRun } from '../../messages/send/dry-run.ts'
import { send } from '../../messages/send/send.ts'
import type { SendAnswers, SendRequest } from '../../messages/send/send-request.ts'
import type { Runtime } from '../../runtime.ts'
import type { Mount } from './mount.ts'

export const sendAnswer = <Sent extends TSchema>(sent: Sent) =>
  answer(
    Type.Union([ref(sent), ref(DryRun)], {
      description:
        'The message that was sent, or, with `dry_run=true` in the request, what would happen: that response has `dry_run: true`.',
    }),
  )

/** Sends, or says what a dry run would. */
export async function respondToSend<Kind extends SendRequest['kind']>(
  { rt, mount }: { rt: Runtime; mount: Mount },
  request: FastifyRequest,
  reply: FastifyReply,
  wanted: Extract<SendRequest, { kind: Kind }>,
): Promise<{ success: true; data: SendAnswers[Kind] | Static<typeof DryRun> }> {
  if (isRecord(request.query) && request.query.dry_run) {
    await request.admission?.settle()
    const { sender, quota: taken } = mount.principalOf(rt, request)
    const [hour, day] = taken?.windows ?? []
    const quota = hour && day ? { hour_remaining: hour.quota - hour.used, day_remaining: day.quota - day.used } : null
    return ok({ ...(await dryRun(rt, sender, wanted)), quota })
  }
  const { idempotencyKey, admission } = request
  const { sender } = mount.principalOf(rt, request)
  const deadline = request.sendDeadline ?? sendDeadline(rt, request.arrivedMs)
  const { data, replayed } = await send(rt, { sender, request: wanted, idempotencyKey, deadline, admission })
  if (replayed) reply.header('idempotent-replayed', 'true')
  // A repeat answers what the first request with its key answered: the same type, read back from the database.
  return ok(data as SendAnswers[Kind])
}
