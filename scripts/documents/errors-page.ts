import { type ErrorRow, errorTable } from '../../server/src/contract/errors.ts'
import { fieldCodes } from '../../server/src/contract/schema.ts'
import { metaIntroduction, metaRows } from './meta-codes.ts'

/** docs/errors.md, from the table of refusals. */
export function errorsPage(): string {
  return [introduction(), ...Object.entries(errorTable).map(section), metaSection()].join('\n')
}

function metaSection(): string {
  const rows = metaRows().map((cells) => `| ${cells.join(' | ')} |`)
  return `## Codes of Meta

${metaIntroduction}

| Meta's code | Meaning | \`code\` | Sent? | Who can act |
|---|---|---|---|---|
${rows.join('\n')}
`
}

function section([code, row]: [string, ErrorRow]): string {
  const repeat = row.retryable ? 'retryable' : 'not retryable'
  return `## ${code}\n\nStatus ${row.status} · \`${row.type}\` · ${repeat}\n\n${row.title} ${row.help}\n`
}

function introduction(): string {
  const statuses = [...new Set(Object.values(errorTable).map(({ status }) => status))].sort()
  return `# Errors

<!-- Generated from server/src/contract/errors.ts by scripts/generate.ts: change the table there. -->

Every refusal has the same shape. \`code\` is stable and never renamed inside v1; \`message\` is one sentence for a
developer and may be worded better one day; \`retryable\` says whether the identical request can succeed later (a POST
only with the same \`Idempotency-Key\`); \`details\` names each wrong field.

\`\`\`json
{
  "success": false,
  "data": null,
  "error": {
    "code": "validation_failed",
    "type": "invalid_request",
    "status": 400,
    "message": "'to' is not valid: Start with '+' and the country code, for example +351912345678.",
    "retryable": false,
    "request_id": "req_01ka3m7y3t4d0v9v4k6q1t7r2c",
    "doc_url": "http://localhost:8080/docs/errors#validation_failed",
    "details": [
      { "field": "to", "location": "body", "code": "invalid_phone_number", "message": "Start with '+' and the country code, for example +351912345678.", "received": "12025550100" }
    ]
  }
}
\`\`\`

Under \`/v1\` no other error statuses exist than ${statuses.join(', ')}. What can be wrong with a field
(\`details[].code\`): ${fieldCodes.map((code) => `\`${code}\``).join(', ')}.
`
}
