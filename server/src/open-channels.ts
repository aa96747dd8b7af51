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
  set(channel: OpenChannel): void
}

const openMax = 10_000

export function createOpenChannels(): OpenChannels {
  const channels = new Map<string, OpenChannel>()
  return {
    get(id, revision) {
      const known = channels.get(id)
      return known?.revision === revision ? known : undefined
    },
    set(channel) {
      if (channels.size >= openMax) channels.delete(channels.keys().next().value ?? '')
      channels.set(channel.id, channel)
    },
  }
}
