import type { Page } from 'playwright-core'

/** Of a long list only what is around the screen is in the document. */
export const rowsInDocumentMax = 150
export const rowsInDocument = (page: Page) => page.locator('tbody tr').count()

export const status = (page: Page) => page.getByRole('navigation', { name: 'Pages' }).getByRole('status')
export const shown = async (page: Page) => Number(/\d+/.exec((await status(page).textContent()) ?? '')?.[0])
export const scrollTo = (page: Page, where: string) => page.evaluate(`window.scrollTo(0, ${where})`)

/**
 * Scrolls to the end, again and again, as older rows come. The page itself sees when they have come: asked for it from
 * here, every few milliseconds and with a scroll each time, it draws far more than a person would make it draw.
 */
export async function scrollUntil(page: Page, count: number): Promise<void> {
  await page.evaluate(`new Promise((resolve, reject) => {
    const list = document.querySelector('nav[aria-label="Pages"]')
    const shown = () => Number(/\\d+/.exec(list.querySelector('[role=status]').textContent)[0])
    const goOn = () => {
      window.scrollTo(0, document.documentElement.scrollHeight)
      if (shown() < ${count}) return
      rows.disconnect()
      height.disconnect()
      resolve()
    }
    const rows = new MutationObserver(goOn)
    rows.observe(list, { subtree: true, childList: true, characterData: true })
    const height = new ResizeObserver(goOn)
    height.observe(document.body)
    setTimeout(() => reject(new Error('The list ends at row ' + shown())), ${deadlineMs})
  })`)
}

const deadlineMs = 100_000
