import { createHash } from 'node:crypto'
import { pagePolicy } from '../../../server/src/http/page.ts'

/**
 * Adds a button to every example, and opens all samples in the language that was chosen last. Without scripts nothing is
 * missing. Browsers offer the clipboard only to https and
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
const samples = [...document.querySelectorAll('.sample')]
const stored = { get: () => { try { return localStorage.getItem('language') } catch { return null } }, set: (language) => { try { localStorage.setItem('language', language) } catch {} } }
// Where the language is missing, what is open stays open.
function choose(language) {
  for (const group of document.querySelectorAll('.samples')) {
    const own = [...group.children]
    if (own.some((sample) => sample.dataset.language === language)) for (const sample of own) sample.open = sample.dataset.language === language
  }
}
if (samples.some((sample) => sample.dataset.language === stored.get())) choose(stored.get())
for (const sample of samples) {
  sample.firstElementChild.addEventListener('click', (event) => {
    if (sample.open) return
    event.preventDefault()
    const top = sample.parentElement.getBoundingClientRect().top
    choose(sample.dataset.language)
    stored.set(sample.dataset.language)
    // What opened and closed above must not move what is read.
    scrollBy(0, sample.parentElement.getBoundingClientRect().top - top)
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
