/** One page of the pages of several processes: the lines of a metric stand together, under one description. */
export function mergeMetricPages(pages: readonly string[]): string {
  const samplesByHead = new Map<string, string[]>()
  for (const page of pages) {
    let samples: string[] = []
    let help = ''
    for (const line of page.split('\n')) {
      if (line.startsWith('# HELP ')) help = line
      else if (line.startsWith('# TYPE ')) {
        const head = `${help}\n${line}`
        samples = samplesByHead.get(head) ?? []
        samplesByHead.set(head, samples)
      } else if (line !== '') samples.push(line)
    }
  }
  return [...samplesByHead].map(([head, samples]) => `${[head, ...samples].join('\n')}\n`).join('\n')
}
