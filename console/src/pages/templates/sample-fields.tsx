import { Field } from '../../components/field.tsx'
import { placeholdersOf, type TextPart } from './template-draft.ts'
import type { FormProps } from './template-form.tsx'

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
      <div className="sample-grid">
        {fields.map(({ part, token }) => (
          <Field
            key={`${part} ${token}`}
            label={part === 'header' ? `${token} (header)` : token}
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
