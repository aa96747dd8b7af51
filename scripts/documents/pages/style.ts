/** One sheet for all pages of /docs; dark mode follows the system. */
export const styles = `:root { color-scheme: light dark; --text: #14181f; --muted: #525c6b; --bg: #fff; --sunken: #f1f3f6; --border: #c9d0da; --accent: #0b6b5d; --word: #8a2f7a; --text-value: #1d5fa8; --number: #9a4a00 }
@media (prefers-color-scheme: dark) { :root { --text: #e9ecf1; --muted: #a3adbb; --bg: #0f1216; --sunken: #1a1f26; --border: #2e3540; --accent: #4fd1b8; --word: #e3a1d8; --text-value: #8fc1f5; --number: #f0b37e } }
* { box-sizing: border-box }
html { scroll-padding-top: 16px }
body { margin: 0; background: var(--bg); color: var(--text); font: 15px/1.55 system-ui, sans-serif }
header { display: flex; flex-wrap: wrap; gap: 4px 16px; padding: 12px 24px; border-bottom: 1px solid var(--border) }
main { max-width: 880px; margin: 0 auto; padding: 24px }
main:has(.reference) { max-width: 1200px } main:has(.contents) { max-width: 1440px }
.hljs-keyword, .hljs-literal, .hljs-built_in, .hljs-meta { color: var(--word) } .hljs-string, .hljs-attr, .hljs-regexp { color: var(--text-value) } .hljs-number, .hljs-variable, .hljs-params { color: var(--number) } .hljs-comment { color: var(--muted) }
.search-page input { width: 100%; padding: 10px 12px; font: inherit; font-size: 17px; color: inherit; background: var(--bg); border: 1px solid var(--muted); border-radius: 6px } .search-page .facts { min-height: 24px; margin-top: 8px }
.found { list-style: none; margin: 0; padding: 0 } .found li { padding: 10px 0; border-top: 1px solid var(--border) } .found a { font-weight: 600; text-decoration: none } .found a:hover { text-decoration: underline } .found p { color: var(--muted); margin: 2px 0 0; overflow-wrap: anywhere }
.contents-folded { padding: 4px 12px; margin-bottom: 16px; background: var(--sunken); border-radius: 6px } .contents-folded ul { list-style: none; padding: 0 } .contents-folded li { padding: 4px 0 }
.contents code { font-size: 12px } .contents .as-markdown { font-weight: 400 }
h1 { font-size: 26px; line-height: 1.2 } h2 { font-size: 20px; line-height: 1.3; margin: 24px 0 8px; overflow-wrap: anywhere }
h3 { font-size: 15px; margin: 24px 0 8px } h4 { font-size: 14px; margin: 12px 0 4px; color: var(--muted) }
section { padding: 16px 0 24px; border-top: 1px solid var(--border) } section > h2 { margin-top: 0 }
h2 > a, h3 > a, dt > a { color: inherit; text-decoration: none } h2 > a:hover, h3 > a:hover, dt > a:hover { text-decoration: underline }
.guides h2 { margin-top: 32px } .guides h2:first-child { margin-top: 0 } .guides li { margin: 4px 0 } .guides :not(pre) > code { background: var(--sunken); border-radius: 3px; padding: 1px 3px } .guides td a, .guides td code { overflow-wrap: break-word } .neighbours { display: flex; flex-wrap: wrap; justify-content: space-between; gap: 8px; margin-top: 32px; padding-top: 16px; border-top: 1px solid var(--border) }
a { color: var(--accent); overflow-wrap: anywhere } p { margin: 0 0 8px } .facts { color: var(--muted); margin: 0 0 8px }
ul.facts { list-style: none; padding: 0; display: flex; flex-wrap: wrap; gap: 4px 16px }
code, pre { font-family: ui-monospace, monospace; font-size: 13px } code { overflow-wrap: anywhere }
pre { overflow-x: auto; background: var(--sunken); padding: 12px; border-radius: 6px; margin: 4px 0 12px } pre code { overflow-wrap: normal }
.example { position: relative } .example > pre { padding-right: 76px } .unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%) }
.copy { position: absolute; top: 6px; right: 6px; min-height: 24px; padding: 2px 8px; font: inherit; font-size: 13px; color: var(--text); background: var(--bg); border: 1px solid var(--border); border-radius: 4px; cursor: pointer } .copy:hover { border-color: currentColor }
.endpoint { font-weight: 600 } .method { color: var(--accent) }
.fields { margin: 0 0 12px } .fields dt { padding-top: 8px; border-top: 1px solid var(--border) } .fields dt code { font-weight: 600 }
.fields dd { margin: 2px 0 8px } .fields .fields { margin: 4px 0 8px 4px; padding-left: 12px; border-left: 2px solid var(--border) }
.fields .fields dt:first-child { border-top: 0; padding-top: 0 }
dt:target, section:target > h2, h2:target, h3:target { background: var(--sunken); box-shadow: -6px 0 0 var(--accent) }
.type, .optional, .values { color: var(--muted); font-size: 13px } .required { color: var(--accent); font-size: 13px }
.form { font-weight: 600; margin: 8px 0 4px } .errors { padding-left: 20px }
table { display: block; overflow-x: auto; border-collapse: collapse; margin: 8px 0 } th, td { text-align: left; vertical-align: top; padding: 6px 8px; border-bottom: 1px solid var(--border) }
summary { cursor: pointer; padding: 4px 0 } img { max-width: 100% }
nav ul { list-style: none; margin: 0 0 12px; padding: 0 } nav li { padding: 3px 0 } nav p { font-weight: 600; margin: 12px 0 4px } nav a { text-decoration: none } nav a:hover { text-decoration: underline } nav a[aria-current] { font-weight: 600; color: inherit }
@media (min-width: 900px) {
  .reference { display: grid; grid-template-columns: 260px minmax(0, 1fr); gap: 32px }
  nav { position: sticky; top: 0; align-self: start; max-height: 100vh; overflow-y: auto; padding-bottom: 24px; font-size: 14px }
}
@media (min-width: 1200px) {
  .with-contents:has(.contents) { grid-template-columns: 240px minmax(0, 1fr) 200px } .contents { grid-column: 3; grid-row: 1 } .with-contents .content { grid-column: 2; grid-row: 1 }
}
@media (max-width: 1199px) { .contents { display: none } } @media (min-width: 900px) { .contents-folded { display: none } }
@media (max-width: 899px) { .beside { display: none } }
@media (max-width: 480px) { main { padding: 16px } header { padding: 12px 16px } }
:focus-visible { outline: 2px solid #1d4ed8; outline-offset: 2px }
@media (prefers-color-scheme: dark) { :focus-visible { outline-color: #93c5fd } }
`
