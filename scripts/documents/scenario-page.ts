import type { Option } from '../../sandbox/src/messages/option-table.ts'
import { callbacks, conditions, delays, effects, scenario, throttle } from '../../sandbox/src/messages/scenario.ts'

type Rows = Record<string, Option<unknown>>

/** docs/sandbox-scenario.md, from the tables of options. */
export function scenarioPage(): string {
  return [
    introduction,
    section('Scenario', '', scenario),
    section('Rules: conditions', 'In `when` of a rule. All of them must hold.', conditions),
    section('Rules: effects', 'In `do` of a rule. Effects can be combined.', effects),
    section('Delays', 'In `delays` of a scenario or an effect.', delays),
    section('Throttle', 'In `throttle` of a scenario.', throttle),
    section('Callbacks', 'In `callbacks` of a scenario.', callbacks),
  ].join('\n')
}

function section(title: string, about: string, rows: Rows): string {
  const lines = Object.entries(rows).map(([name, { takes, says }]) => `| \`${name}\` | ${takes} | ${says} |`)
  return `## ${title}\n\n${about ? `${about}\n\n` : ''}| Option | Value | Meaning |\n|---|---|---|\n${lines.join('\n')}\n`
}

const introduction = `# Sandbox scenarios

<!-- Generated from sandbox/src/messages/scenario.ts by scripts/generate.ts: change the tables there. -->

A scenario describes how the [sandbox](guides/testing.md) behaves: \`PUT /_sandbox/scenario\` replaces it with all its rules, \`GET\`
shows it, \`POST /_sandbox/rules\` adds one rule, \`POST /_sandbox/reset\` restores the initial behavior. Times are milliseconds. An unknown option or value is rejected with a sentence.

\`\`\`json
{
  "seed": 7,
  "throttle": { "per_second": 80 },
  "callbacks": { "duplicate": 0.1 },
  "rules": [
    { "when": { "endpoint": "messages", "to": "+351912345678", "nth": 3 }, "do": { "error": { "code": 131016 } } },
    { "when": { "type": "template", "probability": 0.01 }, "do": { "fail_after_sent": 131049 } }
  ]
}
\`\`\`
`
