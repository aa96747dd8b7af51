import { headerFiles } from '../../accepted-files.ts'
import { Field, Select } from '../../components/form/field.tsx'
import { UploadField } from '../../components/form/upload-field.tsx'
import { type FormProps, Length } from './form-parts.tsx'
import type { HeaderKind } from './template-draft.ts'

const kinds: readonly { value: HeaderKind; label: string }[] = [
  { value: 'none', label: 'None' },
  { value: 'text', label: 'Text' },
  { value: 'image', label: 'Image' },
  { value: 'video', label: 'Video' },
  { value: 'document', label: 'Document' },
  { value: 'location', label: 'Location' },
  { value: 'product', label: 'Product' },
]

export function HeaderFields({ draft, onChange, errorOf }: FormProps) {
  const { header, headerText } = draft
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
      {header === 'location' && (
        <p className="muted small">Each message specifies the place: latitude, longitude and name.</p>
      )}
      {header === 'product' && <p className="muted small">Each message specifies a product from the catalog.</p>}
      {isFile(header) && (
        // Another kind takes another file.
        <SampleFile key={header} kind={header} {...{ draft, onChange, errorOf }} />
      )}
    </div>
  )
}

export function isFile(header: HeaderKind): header is keyof typeof headerFiles {
  return header in headerFiles
}

/** What the reviewer sees. Most people have the file; a service has its address. */
export function SampleFile({ kind, draft, onChange, errorOf }: FormProps & { kind: keyof typeof headerFiles }) {
  const { link = '', media_id: mediaId = '' } = (draft.headerSample ?? {}) as { link?: string; media_id?: string }
  return (
    <div className="stack stack-tight">
      <UploadField
        label={`Sample ${kind}`}
        accept={headerFiles[kind]}
        hint="For the reviewer; each send provides its own."
        mediaId={mediaId}
        error={errorOf('header.example', link)}
        onChange={(id) => onChange({ headerSample: id ? { media_id: id } : null })}
      />
      <details open={link !== ''}>
        <summary>Use an address instead</summary>
        <Field
          label={`Address of the sample ${kind}`}
          type="url"
          placeholder="https://cdn.example.com/sample"
          hint="It must be accessible to the reviewer."
          value={link}
          onChange={(event) => onChange({ headerSample: event.target.value ? { link: event.target.value } : null })}
        />
      </details>
    </div>
  )
}
