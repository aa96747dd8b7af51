import type { App } from './context.ts'

/** The policy: at least 12 months between the headers and the end, and never inside this version of the API. */
const noticeMsMin = 365 * 86_400_000
const replacementPage = '/docs/api'

/**
 * A route declared `deprecated` says so in every answer, refusals included, and in the API document: Deprecation
 * (RFC 9745), Sunset (RFC 8594) and a link to the reference, which names what to use instead.
 */
export function addDeprecation(app: App): void {
  app.addHook('onRoute', ({ config, method, url }) => {
    if (!config?.deprecated) return
    const { since, sunset } = config.deprecated
    const noticeMs = Date.parse(sunset) - Date.parse(since)
    if (!(noticeMs >= noticeMsMin)) {
      throw new Error(`${method} ${url} is deprecated on ${since} and ends on ${sunset}: that is less than 12 months.`)
    }
  })
  app.addHook('onSend', (request, reply, payload, done) => {
    const { deprecated } = request.routeOptions.config
    if (!deprecated) return done(null, payload)
    reply.header('deprecation', `@${Date.parse(deprecated.since) / 1_000}`)
    reply.header('sunset', new Date(deprecated.sunset).toUTCString())
    reply.header('link', `<${replacementPage}>; rel="deprecation"; type="text/html"`)
    done(null, payload)
  })
}
