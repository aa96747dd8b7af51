/** Whether the page that is shown was come back to, and where it stood when it was left. */
let cameBack = false
let leftAt: number | null = null
const scrolls = new Map<string, number>()
const kept = new Map<string, unknown>()

window.addEventListener('popstate', () => {
  cameBack = true
  leftAt = scrolls.get(location.href) ?? null
})
// As the router announces its own steps.
window.addEventListener('pushState', () => {
  cameBack = false
  leftAt = null
})
window.addEventListener('scroll', () => scrolls.set(location.href, window.scrollY), { passive: true })

/** For a page that was come back to; null for one that is new. */
export function scrollToReturnTo(): number | null {
  return cameBack ? leftAt : null
}

/** What a page had when it was left, for a person who comes back to it. */
export function returnedTo<T>(name: string): T | null {
  return cameBack ? ((kept.get(`${name} ${location.href}`) as T | undefined) ?? null) : null
}

export function keepForReturn(name: string, value: unknown): void {
  kept.set(`${name} ${location.href}`, value)
}
