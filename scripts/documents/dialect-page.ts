import { AppError } from '../../server/src/contract/app-error.ts'
import type { ErrorCode } from '../../server/src/contract/errors.ts'
import { errorTable } from '../../server/src/contract/errors.ts'
import type { OpenApiDocument } from '../../server/src/http/docs/document.ts'
import { possibleErrors } from '../../server/src/http/docs/possible-errors.ts'
import { ownCalls, passedCalls, refusedParameters } from '../../server/src/http/graph/call-table.ts'
import { graphDialect } from '../../server/src/platform/cloud/graph/graph-dialect.ts'

const objects = { number: '{number}', waba: '{business account}', template: '{template}' } as const

/** docs/meta-dialect.md, from the table of calls and from what becomes of each error of the gateway. */
export function dialectPage(api: OpenApiDocument): string {
  return `${introduction}
## Calls that the gateway handles

| Call | Scope | What it does |
|---|---|---|
${ownRows().join('\n')}

## Proxied calls

They are sent to Meta once, with the gateway's own token and version, and Meta's response is returned unchanged. Paging links point to the
gateway. Reads are cached per connection for a minute. Changes are recorded in the audit log.

| Call | Scope | Parameters |
|---|---|---|
${passedRows().join('\n')}

Parameters of \`POST\` can stand in JSON, in a form of either kind, or in the address. \`fields\` accepts the plain fields of an object,
without expansions. ${refusedParameters.map((name) => `\`${name}\``).join(', ')} are
rejected.

## Errors

Meta's errors are returned unchanged, unless they concern the gateway's own token. These are the gateway's own errors. The last column has
[their codes](errors.md), as in the request log.

| Status | Code | Subcode | Why |
|---|---|---|---|
${errorRows(api).join('\n')}
`
}

const scopeOf = (scope: string | null) => (scope === null ? 'any' : `\`${scope}\``)

function ownRows(): string[] {
  return Object.values(ownCalls).map(
    ({ methods, path, scope, does }) => `| ${methods.join(', ')} \`${path}\` | ${scopeOf(scope)} | ${does} |`,
  )
}

function passedRows(): string[] {
  return Object.entries(passedCalls).flatMap(([call, rows]) =>
    rows.map(({ of, scope, parameters = [], analytics, wholeAccount, personal }) => {
      const [method, edge = ''] = call.split(' ', 2)
      const path = [objects[of], edge.replace('{}', '{name}')].filter((part) => part !== '').join('/')
      const notes = [
        ...parameters.map((name) => `\`${name}\``),
        ...(analytics ? ['`fields=analytics.start(…).end(…)…`, of messages, conversations, prices or calls'] : []),
        ...(wholeAccount ? ['only with all numbers'] : []),
        ...(personal ? ['only with `messages:read`'] : []),
      ]
      return `| ${method} \`${path}\` | ${scopeOf(scope)} | ${notes.join(', ')} |`
    }),
  )
}

/** Calls of /v1 that decide what the same call decides below /graph. */
const alike =
  /^(send|markMessageRead|uploadMedia|getMedia|deleteMedia|getProfile|updateProfile|listBlocked|blockCust|unblock)/
const below: readonly ErrorCode[] = [
  'token_expired',
  'api_key_inactive',
  'ip_not_allowed',
  'cross_site_request',
  'connection_handshake_failed',
  'endpoint_not_found',
  'idempotency_key_reused',
]

function errorRows(api: OpenApiDocument): string[] {
  const operations = Object.values(api.paths).flatMap((methods) => Object.values(methods))
  const codes = operations.filter(({ operationId }) => alike.test(operationId)).flatMap((one) => possibleErrors(one))
  const known = Object.keys(errorTable) as ErrorCode[]
  const wanted = known.filter(
    (code) => (codes.includes(code) || below.includes(code)) && code !== 'send_outcome_unknown',
  )
  const rows = wanted.map((code) => {
    const { status, body } = graphDialect.refusal({
      code,
      sentence: '',
      requestId: '',
      extras: new AppError(code, '').extras,
    })
    const { code: number, error_subcode: subcode } = (body as { error: { code: number; error_subcode?: number } }).error
    return { code, place: `${status} | ${number} | ${subcode ?? ''}` }
  })
  return [...Map.groupBy(rows, ({ place }) => place)]
    .sort(([a], [b]) => a.localeCompare(b, 'en', { numeric: true }))
    .map(([place, some]) => `| ${place} | ${some.map(({ code }) => `\`${code}\``).join(', ')} |`)
}

const introduction = `# Meta-compatible API

<!-- Generated from server/src/http/graph/call-table.ts and server/src/platform/cloud/graph/graph-dialect.ts by scripts/generate.ts. -->

The calls that [tools written for Meta's Cloud API](guides/tools.md) can make under \`/graph\`. Versions are ignored, and a trailing slash is
allowed. Pass the token in the \`Authorization\` header, or as \`access_token\` in the query or in a form. Every other call fails with error 100
and subcode 33, as if the object didn't exist or belonged to another account.
`
