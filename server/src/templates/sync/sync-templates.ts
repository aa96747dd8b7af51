import { listNumbers } from '../../channels/channel-record.ts'
import { type ChannelNumber, channelNotConnected, requireNumber } from '../../channels/require-number.ts'
import { minuteMs } from '../../lib/durations.ts'
import type { PlatformTemplate } from '../../platform/outbound-message.ts'
import { PlatformError } from '../../platform/platform-error.ts'
import type { Runtime } from '../../runtime.ts'
import { ConditionFailed } from '../../store/engine/store-error.ts'
import { Unit, unitOf } from '../../store/engine/unit.ts'
import {
  channelsToSync,
  claimSync,
  findPostponedSync,
  finishSync,
  postponeSync,
} from '../../store/templates/template-changes.ts'
import { findTemplateAtPlatform, findTemplatesOfChannel } from '../../store/templates/templates.ts'
import { addNew, changeTemplate } from '../change-template.ts'
import { fromRow, newTemplate, type StoredTemplate } from '../stored-template.ts'
import { statusFromPlatform } from '../template-status.ts'
import { deletedAtPlatform, mergeListed } from './merge-listed.ts'

// Creations take a moment to appear in the platform's list; what is younger than this is not missed there.
const settlingMs = minuteMs

/** The poll's way: fetches the list unless a node did so within the pause. */
export async function syncIfDue(rt: Runtime, channel: TemplateChannel, pauseMs: number): Promise<void> {
  if (await claimNextSync(rt, channel, pauseMs)) await shareSync(rt, channel)
}

/** A throttle says when to come back; no node asks before. */
async function waitOut(rt: Runtime, { accountId, channelId }: TemplateChannel, waitMs: number): Promise<void> {
  rt.log.warn({ account_id: accountId, channel_id: channelId, wait_ms: waitMs }, 'templates.sync_throttled')
  await rt.store.write(
    unitOf(postponeSync, { channel_id: channelId, account_id: accountId, requested_at: rt.clock.now() + waitMs }),
  )
}

/**
 * The way of who misses a template: asks the platform before giving up, until `found`. A list that is just being read
 * costs nothing more, but may be older than the template; one that was begun afterwards is not.
 */
export async function syncUntil(
  rt: Runtime,
  channel: TemplateChannel,
  missed: string,
  found: () => Promise<boolean>,
): Promise<void> {
  const running = rt.singleflight.running(flightOf(channel))
  if (running && (await running) && (await found())) return
  const postponed = await isPostponed(rt, channel)
  const isRunning = rt.singleflight.running(flightOf(channel)) !== undefined
  const begun = isRunning || (!postponed && mayAsk(rt, channel, missed))
  if (!begun) return
  await shareSync(rt, channel)
  // Also where it failed: another process may have stored the template, or this one before it failed.
  await found()
}

async function isPostponed(rt: Runtime, { channelId }: TemplateChannel): Promise<boolean> {
  const rows = await rt.store.read(findPostponedSync, { channel_id: channelId, now: rt.clock.now() })
  return rows.length > 0
}

/** A name counts first, and only one that passes counts for the channel: few names are ever remembered. */
function mayAsk({ throttles, clock }: Runtime, { channelId }: TemplateChannel, missed: string): boolean {
  const { missedTemplates, missesOfChannel } = throttles
  const now = clock.now()
  if (missesOfChannel.waitMs(channelId, now) > 0) return false
  return missedTemplates.take(`${channelId} ${missed}`, now) === 0 && missesOfChannel.take(channelId, now) === 0
}

const flightOf = ({ channelId }: TemplateChannel) => `templates.sync ${channelId}`

/** One at a time for a channel and process. False when the platform did not answer. */
function shareSync(rt: Runtime, channel: TemplateChannel): Promise<boolean> {
  const { channelId, accountId } = channel
  return rt.singleflight.run(flightOf(channel), async () => {
    try {
      await syncTemplates(rt, channel)
      return true
    } catch (error) {
      if (error instanceof PlatformError && error.kind === 'throttled') {
        await waitOut(rt, channel, error.retryAfterMs ?? 0)
        return false
      }
      rt.log.warn({ err: error, account_id: accountId, channel_id: channelId }, 'templates.sync_failed')
      return false
    }
  })
}

/** False when another process claimed it within the pause. */
async function claimNextSync(
  rt: Runtime,
  { accountId, channelId }: Pick<TemplateChannel, 'accountId' | 'channelId'>,
  pauseMs: number,
): Promise<boolean> {
  const unit = new Unit()
  const claim = { channel_id: channelId, account_id: accountId, now: rt.clock.now(), pause_ms: pauseMs }
  const call = unit.add(claimSync, claim)
  return (await rt.store.write(unit)).rows(call).length > 0
}

/**
 * Makes the records of a channel what the platform's list says: callbacks get lost, and templates are also made, edited
 * and deleted elsewhere. What changed here since the list was asked for is newer than it, and left to the next time.
 */
export async function syncTemplates(rt: Runtime, channel: TemplateChannel): Promise<void> {
  const { accountId, channelId } = channel
  const startedAt = rt.clock.now()
  const listed: PlatformTemplate[] = []
  for await (const template of rt.platform.listTemplates(channel.credentials)) listed.push(template)
  const rows = await rt.store.read(findTemplatesOfChannel, { account_id: accountId, channel_id: channelId })
  const own = rows.map(fromRow)
  const seen = new Set<string>()
  const change = (id: string, decide: (now: StoredTemplate) => StoredTemplate | undefined) =>
    changeTemplate(rt, { accountId, id, cause: 'sync' }, (now) =>
      lastTouched(now) >= startedAt ? undefined : decide(now),
    )
  for (const template of listed) {
    const known = findOwn(own, template)
    if (known) seen.add(known.id)
    if (known) await change(known.id, (now) => mergeListed(rt, now, template))
    else await adopt(rt, channel, template, startedAt)
  }
  for (const template of own) {
    const missed = !seen.has(template.id) && (template.submitted_at ?? startedAt) < startedAt - settlingMs
    if (missed) await change(template.id, (now) => deletedAtPlatform(rt, now))
  }
  await rt.store.write(unitOf(finishSync, { channel_id: channelId, now: rt.clock.now() }))
}

function lastTouched({ updated_at, submitted_at, reported_at }: StoredTemplate): number {
  return Math.max(updated_at, submitted_at ?? 0, reported_at ?? 0)
}

function findOwn(own: readonly StoredTemplate[], { templateId, content }: PlatformTemplate) {
  return (
    own.find((template) => template.channel_template_id === templateId) ??
    own.find((template) => template.name === content.name && template.language === content.language)
  )
}

/** A template made elsewhere, and not one that was deleted here while the list was on its way. */
async function adopt(
  rt: Runtime,
  { accountId, channelId, kind }: TemplateChannel,
  listed: PlatformTemplate,
  startedAt: number,
): Promise<void> {
  const now = rt.clock.now()
  if ((statusFromPlatform(listed.status) ?? 'deleted') === 'deleted') return
  const params = { account_id: accountId, channel_template_id: listed.templateId }
  const [gone] = await rt.store.read(findTemplateAtPlatform, params)
  if (gone && gone.updated_at >= startedAt) return
  const owner = { account_id: accountId, channel_id: channelId, channel_kind: kind, source: 'platform' as const }
  const template = newTemplate(listed.content, { id: rt.newId('tpl'), ...owner }, now)
  const unit = new Unit()
  addNew(unit, { ...template, ...mergeListed(rt, template, listed), submitted_at: now }, 'sync')
  try {
    await rt.store.write(unit)
  } catch (error) {
    // Another process has just stored it; the next sync goes on from there.
    if (!(error instanceof ConditionFailed)) throw error
  }
}

const reviewPauseMs = minuteMs
const calmPauseMs = 15 * minuteMs
const channelsMax = 50

/**
 * The job behind the callbacks, which can be lost: every channel is looked at each quarter of an hour, and each minute
 * while one of its templates is under review.
 */
export async function pollTemplates(rt: Runtime): Promise<'done' | { againAt: number }> {
  const now = rt.clock.now()
  const params = { before: now - calmPauseMs, pending_before: now - reviewPauseMs, count: channelsMax }
  const due = await rt.store.read(channelsToSync, params)
  for (const { account_id: accountId, channel_id: channelId } of due) {
    const channel = await findChannelOf(rt, { accountId, channelId })
    if (channel) await syncIfDue(rt, channel, reviewPauseMs)
    // Without a number it cannot be asked; it waits like the others, or it would stay the first for ever.
    else await claimNextSync(rt, { accountId, channelId }, reviewPauseMs)
  }
  return due.length < channelsMax ? 'done' : { againAt: rt.clock.now() }
}

/** The data of a number that managing its channel's templates requires. */
export type TemplateChannel = Pick<ChannelNumber, 'accountId' | 'channelId' | 'kind' | 'credentials'>

/** Any connected number of a channel: templates belong to the channel, so all of them will do. */
export async function findChannelOf(
  rt: Runtime,
  { accountId, channelId }: { accountId: string; channelId: string },
): Promise<TemplateChannel | undefined> {
  const number = (await listNumbers(rt, accountId)).find((candidate) => candidate.channel_id === channelId)
  return number && requireNumber(rt, accountId, { from: number.id })
}

export async function requireChannelOf(
  rt: Runtime,
  template: { accountId: string; channelId: string },
): Promise<TemplateChannel> {
  const channel = await findChannelOf(rt, template)
  if (!channel) {
    throw channelNotConnected(rt, 'The WhatsApp Business account of this template is not connected.')
  }
  return channel
}
