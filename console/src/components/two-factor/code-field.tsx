import { useState } from 'react'
import type { ApiFailure } from '../../api.ts'
import { Button } from '../form/button.tsx'
import { Field } from '../form/field.tsx'
import { takeFocus } from '../form/take-focus.ts'

type CodeProps = {
  value: string
  onChange: (code: string) => void
  failure: ApiFailure | null
  /** In a step of its own the field takes the focus. */
  isFirst?: boolean
}

/** The code of the app, or one of the codes that were saved for the day the phone is lost. */
export function CodeField({ value, onChange, failure, isFirst = false }: CodeProps) {
  const [isRecovery, setRecovery] = useState(false)
  // A refusal is about the code that was sent, not about one of the other kind.
  const [left, setLeft] = useState<ApiFailure | null>(null)
  const shared = {
    value,
    required: true,
    error: failure === left ? undefined : codeProblem(failure),
    onChange: (event: { target: { value: string } }) => onChange(event.target.value),
    ...(isFirst ? { ref: takeFocus } : {}),
  }
  return (
    <div className="stack stack-tight">
      {isRecovery ? (
        <Field key="recovery" label="Recovery code" autoComplete="off" spellCheck={false} maxLength={40} {...shared} />
      ) : (
        <AppCodeField key="app" {...shared} />
      )}
      <div>
        <Button
          kind="quiet"
          onClick={() => {
            setRecovery(!isRecovery)
            setLeft(failure)
            onChange('')
          }}
        >
          {isRecovery ? 'Use a code from your app' : 'Use a recovery code'}
        </Button>
      </div>
    </div>
  )
}

/** Six digits. Phones offer the code above the keyboard; a pasted one may have a space in it. */
export function AppCodeField(field: Omit<Parameters<typeof Field>[0], 'label'>) {
  return (
    <Field
      label="Code from your app"
      autoComplete="one-time-code"
      inputMode="numeric"
      pattern="\s*\d{3}[\s\-]?\d{3}\s*"
      title="Six digits"
      placeholder="000000"
      maxLength={12}
      {...field}
    />
  )
}

/** The refusal of a code stands under its field, in place of a notice. */
export function codeProblem(failure: ApiFailure | null): string | undefined {
  if (failure?.code === 'two_factor_code_invalid') return failure.message
  return failure?.fields.get('code')
}

export function otherFailure(failure: ApiFailure | null): ApiFailure | null {
  return codeProblem(failure) === undefined ? failure : null
}
