/** Whether a webhook with these events is told what customers write. */
export function receivesTexts(events: readonly string[]): boolean {
  return events.some((event) => event === '*' || event === 'message.*' || event === 'message.received')
}
