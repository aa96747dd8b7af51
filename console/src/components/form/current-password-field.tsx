import type { Ref } from 'react'
import { PasswordField } from './password-field.tsx'

type Props = {
  label?: string
  value: string
  onChange: (password: string) => void
  error?: string | undefined
  ref?: Ref<HTMLInputElement>
}

/** The password a person has; password managers fill it in. */
export function CurrentPasswordField({ label = 'Password', onChange, ...field }: Props) {
  return (
    <PasswordField
      label={label}
      autoComplete="current-password"
      required
      onChange={(event) => onChange(event.target.value)}
      {...field}
    />
  )
}
