import type { Option } from '../../components/form/field.tsx'

/** Those most businesses write in; any other comes with the template that has it. */
const codes = [
  'en en_US en_GB es es_ES es_MX es_AR pt_BR pt_PT fr de it nl',
  'ar bn ca cs da el fi fil gu he hi hr hu id ja ko lt lv',
  'ms nb pl ro ru sk sl sv sw ta te th tr uk ur vi zh_CN zh_HK zh_TW',
]
  .join(' ')
  .split(' ')

const names = new Intl.DisplayNames('en', { type: 'language', languageDisplay: 'standard' })

export function languageName(code: string): string {
  try {
    return names.of(code.replace('_', '-')) ?? code
  } catch {
    return code
  }
}

export function languageOptions(also?: string): Option[] {
  const all = also === undefined || codes.includes(also) ? codes : [also, ...codes]
  return all.map((code) => ({ value: code, label: `${languageName(code)} · ${code}` }))
}
