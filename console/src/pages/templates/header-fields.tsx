import { Field, Select } from '../../components/form/field.tsx'
import { type FormProps, Length } from './form-parts.tsx'
import type { HeaderKind } from './template-draft.ts'

const kinds: readonly { value: HeaderKind; label: string }[] = [
  { value: 'none', label: 'None' },
  { value: 'text', label: 'Text' },
  { value: 'image', label: 'Image' },
  { value: 'video', label: 'Video' },
  { value: 'document', label: 'Document' },
]

export function HeaderFields({ draft, onChange, errorOf }: FormProps) {
  const { header, headerText } = draft
  const link = (draft.headerSample as { link?: string } | null)?.link ?? ''
  return (
    <div className="field-pair field-pair-narrow">
      <Select
        label="Header"
        options={kinds}
        value={header}
        onChange={(event) => onChange({ header: event.target.value as HeaderKind, headerSample: null })}
      />
      {header === 'text' && (
        <Field
          label="Header text"
          placeholder="Your appointment"
          hint={<Length text={headerText} max={60} />}
          value={headerText}
          error={errorOf('header.text', headerText)}
          onChange={(event) => onChange({ headerText: event.target.value })}
        />
      )}
      {header !== 'none' && header !== 'text' && (
        <Field
          label={`Sample ${header}`}
          type="url"
          placeholder="https://cdn.example.com/sample"
          hint="An address that the reviewer can open; each send provides its own."
          value={link}
          error={errorOf('header.example', link)}
          onChange={(event) => onChange({ headerSample: event.target.value ? { link: event.target.value } : null })}
        />
      )}
    </div>
  )
}
