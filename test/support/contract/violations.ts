/** Where an exchange of this process, or of one it started, was not as recorded; each sentence once per test. */
const told = new Set<string>()
let departures: RegExp[] = []

/** How a process that a test started tells its violations: a line of stderr that begins so. */
export const violationMark = 'contract violation: '

export function tellViolation(sentence: string): void {
  if (!departures.some((departure) => departure.test(sentence))) told.add(sentence)
}

export function takeViolations(): string[] {
  const sentences = [...told]
  told.clear()
  return sentences
}

/** The rest of this test departs from the contract on purpose, in what the pattern names: a file, a field. */
export function departFromContract(departure: RegExp): void {
  departures.push(departure)
}

export function endDepartures(): void {
  departures = []
}
