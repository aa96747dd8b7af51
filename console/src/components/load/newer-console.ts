import { ApiFailure } from '../../api.ts'

/** Scripts of the console that this tab left by itself, so that no two versions send it back and forth. */
const leftEntry = 'postern.left'

/** The document of the console as the gateway has it now; throws ApiFailure when there is none. */
export async function readDocument(): Promise<string> {
  const request = fetch('/', { headers: { accept: 'text/html' }, cache: 'no-store' })
  const answer = await request.then(async (response) => (response.ok ? response.text() : null)).catch(() => null)
  if (answer === null) throw new ApiFailure({})
  return answer
}

/**
 * Loads the document again if the gateway was upgraded under this tab: the files that it still needs are gone. Once from
 * each version, and never where a person would lose what they are writing.
 */
export async function moveToNewerConsole(signal: AbortSignal): Promise<void> {
  const script = document.querySelector('script[type=module][src]')?.getAttribute('src')
  const newest = await readDocument().catch(() => null)
  if (signal.aborted || !script || newest === null || newest.includes(script)) return
  if (!isWriting() && leaveOnce(script)) window.location.reload()
}

function isWriting(): boolean {
  const fields = document.querySelectorAll<HTMLInputElement>('textarea, input:not([type=checkbox], [type=radio])')
  return document.querySelector('dialog[open]') !== null || [...fields].some(({ value }) => value !== '')
}

/** False from the second time on, and where nothing can be remembered. */
function leaveOnce(script: string): boolean {
  try {
    const left = sessionStorage.getItem(leftEntry)?.split(' ') ?? []
    if (left.includes(script)) return false
    sessionStorage.setItem(leftEntry, [...left, script].join(' '))
    return true
  } catch {
    return false
  }
}
