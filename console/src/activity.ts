let lastInputAt = performance.now()

for (const type of ['pointerdown', 'keydown', 'wheel']) {
  window.addEventListener(type, () => (lastInputAt = performance.now()), { passive: true, capture: true })
}

/** How long nobody has touched this page. */
export function minutesSinceInput(): number {
  return (performance.now() - lastInputAt) / 60_000
}
