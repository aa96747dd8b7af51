export type ChannelKind = 'sandbox' | 'cloud'

/** A connected channel with its secrets opened. Never logged, never part of a response. */
export type OpenChannel = {
  readonly id: string
  readonly accountId: string
  readonly callbackId: string
  readonly kind: ChannelKind
  readonly wabaId: string
  readonly appId: string | null
  readonly baseUrl: string
  readonly graphVersion: string
  readonly revision: number
  readonly accessToken: string
  readonly appSecret: string
  readonly verifyToken: string
}

/** Channels opened by this process, so that a send costs no decryption and no second read. */
export type OpenChannels = {
  get(id: string, revision: number): OpenChannel | undefined
  /** As it was opened last, which may be out of date: only what is stored under its revision may rely on it. */
  ofCallback(callbackId: string): OpenChannel | undefined
  set(channel: OpenChannel): void
  forget(channel: OpenChannel): void
}

const openMax = 10_000

export function createOpenChannels(): OpenChannels {
  const channels = new Map<string, OpenChannel>()
  const byCallback = new Map<string, OpenChannel>()
  const forget = ({ id, callbackId }: OpenChannel) => {
    channels.delete(id)
    byCallback.delete(callbackId)
  }
  return {
    get(id, revision) {
      const known = channels.get(id)
      return known?.revision === revision ? known : undefined
    },
    ofCallback: (callbackId) => byCallback.get(callbackId),
    set(channel) {
      const [oldest] = channels.values()
      if (oldest && channels.size >= openMax) forget(oldest)
      channels.set(channel.id, channel)
      byCallback.set(channel.callbackId, channel)
    },
    forget,
  }
}
