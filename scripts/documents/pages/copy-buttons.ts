import { createHash } from 'node:crypto'
import { pagePolicy } from '../../../server/src/http/page.ts'

/**
 * Adds a button to every example. Without scripts nothing is missing. Browsers offer the clipboard only to https and
 * localhost; elsewhere the selected text is copied the old way, and if that fails it stays selected for Ctrl-C.
 */
const script = `
const status = document.createElement('p')
status.setAttribute('role', 'status')
status.className = 'unseen'
document.querySelector('main').append(status)
for (const example of document.querySelectorAll('pre')) {
  const frame = document.createElement('div')
  const button = document.createElement('button')
  frame.className = 'example'
  button.type = 'button'
  button.className = 'copy'
  button.textContent = 'Copy'
  button.setAttribute('aria-label', 'Copy: ' + example.getAttribute('aria-label'))
  example.before(frame)
  frame.append(example, button)
  let reset
  button.addEventListener('click', async () => {
    const copied = await copy(example)
    button.textContent = status.textContent = copied ? 'Copied' : 'Press Ctrl-C'
    clearTimeout(reset)
    reset = setTimeout(() => {
      button.textContent = 'Copy'
      status.textContent = ''
    }, 2000)
  })
}
async function copy(example) {
  try {
    await navigator.clipboard.writeText(example.textContent)
    return true
  } catch {
    getSelection().selectAllChildren(example)
    return document.execCommand('copy')
  }
}
`

const hash = createHash('sha256').update(script).digest('base64')

export const copyButtons = `<script>${script}</script>`

/** Lets this one script run and no other, not even a file of our own. */
export const policyWithCopyButtons = `${pagePolicy}; script-src 'sha256-${hash}'`
