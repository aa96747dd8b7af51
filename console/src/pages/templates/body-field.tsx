import { useRef } from 'react'
import { Button } from '../../components/form/button.tsx'
import { TextArea } from '../../components/form/field.tsx'
import { type FormProps, Length } from './form-parts.tsx'
import { nextPlaceholder } from './template-draft.ts'

const marks = [
  { sign: '*', name: 'Bold', shown: <strong>B</strong> },
  { sign: '_', name: 'Italic', shown: <em>I</em> },
  { sign: '~', name: 'Strikethrough', shown: <s>S</s> },
  { sign: '```', name: 'Monospace', shown: <code>{'<>'}</code> },
] as const

type BodyProps = FormProps & { label?: string; optional?: boolean; most?: number }

/** The text, with the marks a phone understands put around what is selected. */
export function BodyField({ draft, onChange, errorOf, label = 'Body', optional = false, most = 1_024 }: BodyProps) {
  const element = useRef<HTMLTextAreaElement>(null)
  const { body } = draft

  function put(before: string, after: string): void {
    const area = element.current
    const start = area?.selectionStart ?? body.length
    const end = area?.selectionEnd ?? body.length
    onChange({ body: body.slice(0, start) + before + body.slice(start, end) + after + body.slice(end) })
    requestAnimationFrame(() => {
      area?.focus()
      area?.setSelectionRange(start + before.length, end + before.length)
    })
  }

  return (
    <div className="stack stack-tight">
      <fieldset className="row body-marks">
        <legend className="visually-hidden">Format the text</legend>
        {marks.map(({ sign, name, shown }) => (
          <Button key={name} aria-label={name} title={name} onClick={() => put(sign, sign)}>
            {shown}
          </Button>
        ))}
        <Button icon="plus" onClick={() => put(nextPlaceholder(body), '')}>
          Variable
        </Button>
      </fieldset>
      <TextArea
        label={label}
        optional={optional}
        placeholder="Hi {{name}}, your appointment moved to {{date}} at {{time}}."
        hint={<Length text={body} max={most} />}
        value={body}
        error={errorOf('body.text', body)}
        onFocus={(event) => {
          element.current = event.currentTarget
        }}
        onChange={(event) => onChange({ body: event.target.value })}
      />
    </div>
  )
}
