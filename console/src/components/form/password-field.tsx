import { type ComponentProps, useState } from 'react'
import { Field } from './field.tsx'

/** A password, which can be looked at before it is sent. */
export function PasswordField(field: Omit<ComponentProps<typeof Field>, 'type' | 'beside'>) {
  const [isShown, setShown] = useState(false)
  return (
    <Field
      {...field}
      type={isShown ? 'text' : 'password'}
      // What can be read is neither corrected nor remembered as text.
      spellCheck={false}
      autoCapitalize="off"
      beside={
        <button type="button" className="field-act" onClick={() => setShown(!isShown)}>
          {isShown ? 'Hide password' : 'Show password'}
        </button>
      }
    />
  )
}
