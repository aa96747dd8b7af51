import type { Page } from 'playwright-core'
import { waitFor } from '../wait-for.ts'

/** Of a long list only what is around the screen is in the document. */
export const rowsInDocumentMax = 150
export const rowsInDocument = (page: Page) => page.locator('tbody tr').count()

export const status = (page: Page) => page.getByRole('navigation', { name: 'Pages' }).getByRole('status')
export const shown = async (page: Page) => Number(/\d+/.exec((await status(page).textContent()) ?? '')?.[0])
export const scrollTo = (page: Page, where: string) => page.evaluate(`window.scrollTo(0, ${where})`)

/** Scrolls to the end, again and again, as older rows come. */
export async function scrollUntil(page: Page, count: number): Promise<void> {
  await waitFor(async () => {
    await scrollTo(page, 'document.documentElement.scrollHeight')
    return (await shown(page)) >= count
  }, 100_000)
}
