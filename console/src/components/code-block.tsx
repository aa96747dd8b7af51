import { useId } from 'react'
import { setPreference, usePreferences } from '../preferences.ts'
import type { Samples } from '../samples.ts'
import { CopyButton } from './form/copy.tsx'
import { TabList } from './overlay/tabs.tsx'

const titles: Record<string, string> = {
  curl: 'curl',
  node: 'Node',
  python: 'Python',
  php: 'PHP',
  shell: 'Command line',
}

/** Tabs when there are several languages; the chosen one is remembered everywhere. */
export function CodeBlock({ samples, title }: { samples: Samples; title?: string }) {
  const id = useId()
  const { codeLanguage } = usePreferences()
  const languages = Object.keys(samples)
  const selected = languages.includes(codeLanguage) ? codeLanguage : (languages[0] ?? '')
  const code = samples[selected] ?? ''
  const tabs = languages.map((language) => ({ id: language, title: titles[language] ?? language }))
  return (
    <div className="code-block">
      <div className="code-head">
        {tabs.length > 1 ? (
          <TabList
            id={id}
            label={title ?? 'Language'}
            tabs={tabs}
            selected={selected}
            onSelect={(language) => setPreference('codeLanguage', language)}
          />
        ) : (
          <span className="code-title">{title ?? tabs[0]?.title}</span>
        )}
        <CopyButton text={code} label="Copy code" />
      </div>
      <Panel id={tabs.length > 1 ? id : null} selected={selected} name={title ?? 'Code'} code={code} />
    </div>
  )
}

/** Wide code scrolls in itself, by keyboard too. */
function Panel({ id, selected, name, code }: { id: string | null; selected: string; name: string; code: string }) {
  const role =
    id === null
      ? { role: 'region', 'aria-label': name }
      : { role: 'tabpanel', id: `${id}-panel`, 'aria-labelledby': `${id}-${selected}` }
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <pre {...role} tabIndex={0}>
      <code>{code}</code>
    </pre>
  )
}
