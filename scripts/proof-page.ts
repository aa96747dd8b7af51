const introduction = `# Proof

<!-- Written by scripts/proof.ts: run npm run proof. -->

The guarantees that \`npm test\` checks with small numbers, run long. A section is written only when its proof held.
`

/**
 * `page` with the section `name` replaced or added. Sections stand in the order given; one that is not in it belongs to a
 * proof that was added after this program was started, and is kept behind them.
 */
export function withSection(page: string, order: readonly string[], name: string, text: string): string {
  const sections = readSections(page).set(name, text)
  const names = [...new Set([...order, ...sections.keys()])].filter((one) => sections.has(one))
  return [introduction, ...names.map((one) => `## ${one}\n\n${sections.get(one)}`)].join('\n')
}

function readSections(page: string): Map<string, string> {
  const [, ...sections] = page.split(/^## /m)
  return new Map(
    sections.map((section) => {
      const [name = '', ...lines] = section.split('\n')
      return [name, `${lines.join('\n').trim()}\n`]
    }),
  )
}
