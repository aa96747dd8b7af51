import { type InputHTMLAttributes, type ReactNode, type Ref, type SelectHTMLAttributes, useId } from 'react'
import { Icon } from '../icon.tsx'
import { Words } from '../words.tsx'

type FieldParts = {
  label: string
  hint?: ReactNode
  /** The sentence of the API for this field. */
  error?: string | undefined
  optional?: boolean
  /** Below the control, for what can be done to it. */
  beside?: ReactNode
}

/** A label, a control, what to write, and what is wrong with it, tied together for every reader. */
export function Field({
  label,
  hint,
  error,
  optional = false,
  beside,
  ...input
}: FieldParts & InputHTMLAttributes<HTMLInputElement> & { ref?: Ref<HTMLInputElement> }) {
  const id = useId()
  return (
    <FieldFrame id={id} {...{ label, hint, error, optional, beside }}>
      <input id={id} className="input" {...describedBy(id, hint, error)} {...input} />
    </FieldFrame>
  )
}

export function TextArea({
  label,
  hint,
  error,
  optional = false,
  ...input
}: FieldParts & InputHTMLAttributes<HTMLTextAreaElement>) {
  const id = useId()
  return (
    <FieldFrame id={id} {...{ label, hint, error, optional }}>
      <textarea id={id} className="input" {...describedBy(id, hint, error)} {...input} />
    </FieldFrame>
  )
}

export type Option = { value: string; label: string }

/** The native list: it works with every keyboard, phone and reader. */
export function Select({
  label,
  hint,
  error,
  optional = false,
  options,
  ...select
}: FieldParts & { options: readonly Option[] } & SelectHTMLAttributes<HTMLSelectElement>) {
  const id = useId()
  return (
    <FieldFrame id={id} {...{ label, hint, error, optional }}>
      <select id={id} className="input" {...describedBy(id, hint, error)} {...select}>
        <Options options={options} />
      </select>
    </FieldFrame>
  )
}

/** A list in a toolbar: its label is heard, not seen. */
export function FilterSelect({
  label,
  options,
  ...select
}: { label: string; options: readonly Option[] } & SelectHTMLAttributes<HTMLSelectElement>) {
  return (
    <select className="input input-small" aria-label={label} {...select}>
      <Options options={options} />
    </select>
  )
}

type ChoiceProps<T extends string> = {
  legend: string
  name: string
  value: T
  options: readonly { value: T; label: string; hint?: string }[]
  onChange: (value: T) => void
  /** Two beside each other, where there is room. */
  pairs?: boolean
}

export function Choices<T extends string>({ legend, name, value, options, onChange, pairs }: ChoiceProps<T>) {
  return (
    <fieldset className="field">
      <legend className="field-label">{legend}</legend>
      <div className="choices" data-pairs={pairs}>
        {options.map((option) => (
          <label key={option.value} className="choice">
            <input
              type="radio"
              name={name}
              value={option.value}
              checked={option.value === value}
              onChange={() => onChange(option.value)}
            />
            <span className="choice-text">
              {option.label}
              {option.hint && <span className="field-hint">{option.hint}</span>}
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  )
}

export function Check({ children, ...input }: { children: ReactNode } & InputHTMLAttributes<HTMLInputElement>) {
  return (
    <label className="check">
      <input type="checkbox" {...input} />
      <span>{children}</span>
    </label>
  )
}

function FieldFrame({
  id,
  label,
  hint,
  error,
  optional,
  beside,
  children,
}: FieldParts & { id: string; children: ReactNode }) {
  return (
    <div className="field">
      <label htmlFor={id} className="field-label">
        {label} {optional && <span className="field-optional">(optional)</span>}
      </label>
      {children}
      {beside}
      {hint && (
        <span id={`${id}-hint`} className="field-hint">
          {hint}
        </span>
      )}
      {error && (
        <span id={`${id}-error`} className="field-error">
          <Icon name="alert" size={16} />
          <span>
            <Words text={error} />
          </span>
        </span>
      )}
    </div>
  )
}

function Options({ options }: { options: readonly Option[] }) {
  return options.map(({ value, label }) => (
    <option key={value} value={value}>
      {label}
    </option>
  ))
}

function describedBy(id: string, hint: ReactNode, error: string | undefined) {
  const ids = [hint ? `${id}-hint` : '', error ? `${id}-error` : ''].filter(Boolean)
  return { 'aria-describedby': ids.length > 0 ? ids.join(' ') : undefined, 'aria-invalid': error ? true : undefined }
}
