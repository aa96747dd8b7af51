import { Field } from '../../components/form/field.tsx'
import type { FormProps } from './form-parts.tsx'
import { placeholdersOf, type TextPart } from './template-draft.ts'

/** One example for every variable: the reviewer reads the message with them, and so does the preview. */
export function SampleFields({ draft, onChange, errorOf }: FormProps) {
  const header = draft.header === 'text' ? placeholdersOf(draft.headerText) : []
  const parts: readonly [TextPart, string[]][] = [
    ['header', header],
    ['body', placeholdersOf(draft.body)],
  ]
  const fields = parts.flatMap(([part, tokens]) => tokens.map((token) => ({ part, token })))
  if (fields.length === 0) return null
  const error = errorOf('body.variables', '') ?? errorOf('header.variables', '')
  return (
    <fieldset className="field">
      <legend className="field-label">Samples</legend>
      <p className="field-hint">A sample value for each variable, shown to the reviewer.</p>
      <div className="sample-grid">
        {fields.map(({ part, token }) => (
          <Field
            key={`${part} ${token}`}
            label={labelOf(part, token)}
            value={draft.samples[part][token] ?? ''}
            onChange={(event) =>
              onChange({
                samples: { ...draft.samples, [part]: { ...draft.samples[part], [token]: event.target.value } },
              })
            }
          />
        ))}
      </div>
      {error && <span className="field-error">{error}</span>}
    </fieldset>
  )
}

function labelOf(part: TextPart, token: string): string {
  const name = /^\d+$/.test(token) ? `{{${token}}}` : token
  return part === 'header' ? `${name} (header)` : name
}
