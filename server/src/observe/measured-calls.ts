import type { PlatformClient } from '../platform/chat-platform.ts'
import { PlatformError } from '../platform/platform-error.ts'
import type { Store } from '../store/engine/store.ts'
import type { Metrics } from './metrics.ts'
import type { Tracer } from './tracer.ts'

/** The same store, with the time of every statement under its name; writes are whole commits, waiting included. */
export function measuredStore(
  store: Store,
  metrics: Pick<Metrics, 'dbQueryDuration' | 'dbPoolConnections' | 'onRender'>,
): Store {
  metrics.onRender(() => {
    const { active, idle, waiting } = store.connections()
    metrics.dbPoolConnections.set({ state: 'active' }, active)
    metrics.dbPoolConnections.set({ state: 'idle' }, idle)
    metrics.dbPoolConnections.set({ state: 'waiting' }, waiting)
  })

  // The clock starts before the work: a short read of SQLite is done when its promise is there.
  async function timed<Result>(query: string, work: () => Promise<Result>): Promise<Result> {
    const startedAt = performance.now()
    try {
      return await work()
    } finally {
      metrics.dbQueryDuration.observe({ query }, (performance.now() - startedAt) / 1_000)
    }
  }

  return {
    ...store,
    write: (unit) => timed('commit', () => store.write(unit)),
    tally: (unit) => timed('tally', () => store.tally(unit)),
    writeApart: (unit) => timed('commit apart', () => store.writeApart(unit)),
    read: (query, params) => timed(query.name, () => store.read(query, params)),
    list: (query, accountId) => timed('list', () => store.list(query, accountId)),
  }
}

/** The same store, with a span for every write: from handing it in until it is on disk, waiting for others included. */
export function tracedStore(store: Store, tracer: Tracer, engineName: string): Store {
  if (!tracer.isOn) return store
  const attributes = { 'db.system.name': engineName }
  return { ...store, write: (unit) => tracer.span('db.tx', attributes, () => store.write(unit), { kind: 'client' }) }
}

type Outcome = 'ok' | 'rejected' | 'throttled' | 'error' | 'timeout'

/** The same platform, with every call counted and timed under its name. */
export function measuredPlatform(platform: PlatformClient, metrics: Metrics): PlatformClient {
  const finish = (operation: string, startedAt: number, outcome: Outcome) => {
    metrics.channelRequests.inc({ operation, outcome })
    metrics.channelRequestDuration.observe({ operation }, (performance.now() - startedAt) / 1_000)
  }
  // An alert watches these two; a series that begins with the first failure would not show it.
  const startAtZero = (operation: string) => {
    for (const outcome of ['error', 'timeout'] as const) metrics.channelRequests.inc({ operation, outcome }, 0)
  }
  const timed = <Args extends unknown[], Result>(operation: string, call: (...args: Args) => Promise<Result>) => {
    startAtZero(operation)
    return async (...args: Args): Promise<Result> => {
      const startedAt = performance.now()
      try {
        const result = await call(...args)
        finish(operation, startedAt, 'ok')
        return result
      } catch (error) {
        finish(operation, startedAt, outcomeOf(error))
        throw error
      }
    }
  }
  startAtZero('list_templates')
  const timedPages: PlatformClient['listTemplates'] = async function* (...args) {
    const startedAt = performance.now()
    let outcome: Outcome = 'ok'
    try {
      yield* platform.listTemplates(...args)
    } catch (error) {
      outcome = outcomeOf(error)
      throw error
    } finally {
      finish('list_templates', startedAt, outcome)
    }
  }
  return {
    ...platform,
    send: timed('send', platform.send),
    markRead: timed('mark_read', platform.markRead),
    uploadMedia: timed('upload_media', platform.uploadMedia),
    mediaUrl: timed('media_url', platform.mediaUrl),
    downloadMedia: timed('download_media', platform.downloadMedia),
    deleteMedia: timed('delete_media', platform.deleteMedia),
    createTemplate: timed('create_template', platform.createTemplate),
    listTemplates: timedPages,
    getTemplate: timed('get_template', platform.getTemplate),
    editTemplate: timed('edit_template', platform.editTemplate),
    deleteTemplate: timed('delete_template', platform.deleteTemplate),
    uploadSample: timed('upload_sample', platform.uploadSample),
    getNumber: timed('get_number', platform.getNumber),
    wabaHealth: timed('business_health', platform.wabaHealth),
    reportedPrices: timed('reported_prices', platform.reportedPrices),
    debugToken: timed('debug_token', platform.debugToken),
    appSubscription: timed('app_subscription', platform.appSubscription),
    setAppSubscription: timed('set_app_subscription', platform.setAppSubscription),
    removeNumberCallback: timed('remove_number_callback', platform.removeNumberCallback),
    subscribeApp: timed('subscribe_app', platform.subscribeApp),
    setCallbackOverride: timed('set_callback', platform.setCallbackOverride),
    listSubscribedApps: timed('list_subscribed_apps', platform.listSubscribedApps),
    getProfile: timed('get_profile', platform.getProfile),
    updateProfile: timed('update_profile', platform.updateProfile),
    downloadPhoto: timed('download_photo', platform.downloadPhoto),
    listBlocked: timed('list_blocked', platform.listBlocked),
    blockCustomers: timed('block_customers', platform.blockCustomers),
    unblockCustomers: timed('unblock_customers', platform.unblockCustomers),
    messageHistory: timed('message_history', platform.messageHistory),
    forgetContact: timed('forget_contact', platform.forgetContact),
    register: timed('register', platform.register),
    pass: timed('pass', platform.pass),
  }
}

/** Whether the platform refused, asked to wait, could not be reached, or gave no answer. */
function outcomeOf(error: unknown): Outcome {
  if (!(error instanceof PlatformError)) return 'error'
  if (error.kind === 'throttled') return 'throttled'
  if (error.outcome === 'unknown') return 'timeout'
  return error.kind === 'unreachable' ? 'error' : 'rejected'
}
