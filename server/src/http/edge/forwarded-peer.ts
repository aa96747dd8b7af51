import type { FastifyRequest } from 'fastify'
import type { Runtime } from '../../runtime.ts'
import type { App } from './context.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** False behind a proxy that is not configured: everybody then seems to come from the proxy's address. */
    addressKnown: boolean
  }
}

/**
 * Notices a proxy nobody told us about: a peer that sends `X-Forwarded-For` while `POSTERN_TRUST_PROXY` is empty. Counting
 * attempts by its address would let anybody lock everybody else out, so those limits are off until it is configured.
 * With the setting given, such a peer is a client that makes the header up, and its own address counts.
 */
export function addForwardedPeerCheck(app: App, rt: Runtime): void {
  let warned = false
  app.decorateRequest('addressKnown', true)
  const check = (request: FastifyRequest): void => {
    if (request.headers['x-forwarded-for'] === undefined || (request.ips?.length ?? 1) > 1) return
    request.addressKnown = rt.config.trustProxy.length > 0
    if (warned) return
    warned = true
    rt.log.warn(
      { peer: request.ip, limits_by_address: request.addressKnown ? 'on' : 'off' },
      'proxy.not_trusted: a peer sends X-Forwarded-For and is not in POSTERN_TRUST_PROXY. If it is your proxy, add its address.',
    )
  }
  app.addHook('onRequest', (request, _reply, done) => {
    check(request)
    done()
  })
}
