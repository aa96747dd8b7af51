import { useEffect, useState } from 'react'
import { Icon } from '../icon.tsx'
import { toast } from '../overlay/toast.tsx'

const doneMs = 1_500

type CopyButtonProps = { text: string; label: string; onCopied?: () => void }

/** One press copies; the word "copied" is heard as well as seen. */
export function CopyButton({ text, label, onCopied }: CopyButtonProps) {
  const [done, setDone] = useState(false)
  useEffect(() => {
    if (!done) return
    const timer = setTimeout(() => setDone(false), doneMs)
    return () => clearTimeout(timer)
  }, [done])
  async function copy(): Promise<void> {
    const isCopied = await copyText(text)
    setDone(isCopied)
    if (isCopied) onCopied?.()
  }
  return (
    <button
      type="button"
      className="copy-button"
      data-done={done}
      aria-label={label}
      title={label}
      onClick={() => void copy()}
    >
      <Icon name={done ? 'check' : 'copy'} size={15} />
      <span className="visually-hidden" aria-live="polite">
        {done ? 'Copied' : ''}
      </span>
    </button>
  )
}

/** An id with its copy button; `shown` when the whole would be too long. */
export function CopyText({ text, shown = text, what }: { text: string; shown?: string; what: string }) {
  return (
    <span className="copy">
      <code className="copy-text" title={text}>
        {shown}
      </code>
      <CopyButton text={text} label={`Copy ${what}`} />
    </span>
  )
}

/** False where the browser forbids it, which is said; the text stays selectable. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    toast('The browser does not allow copying. Select the text instead.', 'alert')
    return false
  }
}

export function shortened(text: string, head = 8, tail = 4): string {
  return text.length > head + tail + 1 ? `${text.slice(0, head)}…${text.slice(-tail)}` : text
}
