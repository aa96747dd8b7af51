import { useRef } from 'react'
import { flushSync } from 'react-dom'
import { Button } from '../../components/form/button.tsx'
import { Field, Select } from '../../components/form/field.tsx'
import type { FormProps } from './form-parts.tsx'
import { type ButtonKind, type DraftButton, unlabelled } from './template-draft.ts'

const kinds: readonly { value: ButtonKind; label: string }[] = [
  { value: 'quick_reply', label: 'Quick reply' },
  { value: 'url', label: 'Open a page' },
  { value: 'phone_number', label: 'Call a number' },
  { value: 'copy_code', label: 'Copy a coupon code' },
  { value: 'flow', label: 'Open a Flow' },
  { value: 'catalog', label: 'Open the catalog' },
  { value: 'mpm', label: 'Show several products' },
  { value: 'spm', label: 'Show the product' },
  { value: 'request_contact_info', label: 'Ask for the phone number' },
]
const buttonsMax = 10

type ButtonsProps = FormProps & { allowed?: readonly ButtonKind[]; most?: number }

/** They change places by buttons, because not everybody can drag. */
export function ButtonFields({ draft, onChange, errorOf, allowed, most = buttonsMax }: ButtonsProps) {
  const made = useRef(0)
  const list = useRef<HTMLDivElement>(null)
  const { buttons } = draft
  const set = (next: readonly DraftButton[]) => onChange({ buttons: next })
  const change = (key: string, part: Partial<DraftButton>) =>
    set(buttons.map((button) => (button.key === key ? { ...button, ...part } : button)))

  function add(): void {
    made.current += 1
    const key = `added-${made.current}`
    const added = { text: '', url: '', phoneNumber: '', example: '', flowId: '', screen: '', optional: false }
    const type = draft.header === 'product' ? 'spm' : 'quick_reply'
    flushSync(() => set([...buttons, { key, type, ...added }]))
    rowAt(buttons.length)?.querySelector<HTMLElement>('input')?.focus()
  }

  /** The focus stays in the list: at the button that took its place, or where the next one is added. */
  function remove(index: number): void {
    flushSync(() => set(buttons.filter((_, at) => at !== index)))
    const next = rowAt(index)?.querySelector<HTMLElement>('[aria-label^="Remove"]')
    const acts = list.current?.querySelectorAll<HTMLElement>(':scope > div > button')
    ;(next ?? acts?.[0])?.focus()
  }

  const rowAt = (index: number) => list.current?.querySelectorAll('.button-row')[index]

  function moveUp(index: number): void {
    const next = [...buttons]
    next.splice(index - 1, 0, ...next.splice(index, 1))
    set(next)
  }

  const error = errorOf('buttons.buttons', buttons.length > 0 ? 'some' : '')
  return (
    <fieldset className="field">
      <legend className="field-label">
        Buttons{' '}
        <span className="field-optional">
          ({buttons.length} of {most})
        </span>
      </legend>
      <div className="stack stack-tight" ref={list}>
        {buttons.map((button, index) => (
          <ButtonRow
            key={button.key}
            button={button}
            number={index + 1}
            options={allowed ? kinds.filter(({ value }) => allowed.includes(value)) : kinds}
            errorOf={(part, value) => errorOf(`buttons.buttons[${index}].${part}`, value)}
            onChange={(part) => change(button.key, part)}
            onUp={index > 0 ? () => moveUp(index) : null}
            onRemove={() => remove(index)}
          />
        ))}
        {error && <span className="field-error">{error}</span>}
        {buttons.length < most && (
          <div>
            <Button icon="plus" onClick={add}>
              Add button
            </Button>
          </div>
        )}
      </div>
    </fieldset>
  )
}

type RowProps = {
  button: DraftButton
  number: number
  options: typeof kinds
  errorOf: (part: string, value: string) => string | undefined
  onChange: (part: Partial<DraftButton>) => void
  onUp: (() => void) | null
  onRemove: () => void
}

/** The ids stand in WhatsApp Manager, where Flows are made and published. */
function FlowFields({
  button: { flowId, screen },
  errorOf,
  onChange,
}: Pick<RowProps, 'button' | 'errorOf' | 'onChange'>) {
  return (
    <>
      <Field
        label="Flow id"
        inputMode="numeric"
        value={flowId}
        error={errorOf('flow_id', flowId)}
        onChange={(event) => onChange({ flowId: event.target.value })}
      />
      <Field
        label="First screen (optional)"
        hint="Without it, your endpoint chooses the screen."
        value={screen}
        error={errorOf('navigate_screen', screen)}
        onChange={(event) => onChange({ screen: event.target.value })}
      />
    </>
  )
}

function ButtonRow({ button, number, options, errorOf, onChange, onUp, onRemove }: RowProps) {
  const { type, text, url, phoneNumber, example } = button
  return (
    <fieldset className="button-row">
      <legend className="visually-hidden">Button {number}</legend>
      <div className="button-row-fields">
        <Select
          label="When pressed"
          options={options}
          value={type}
          onChange={(event) => onChange({ type: event.target.value as ButtonKind })}
        />
        {!unlabelled.includes(type) && (
          <Field
            label="Label"
            maxLength={60}
            value={text}
            error={errorOf('text', text)}
            onChange={(event) => onChange({ text: event.target.value })}
          />
        )}
        {type === 'copy_code' && (
          <Field
            label="Sample code"
            placeholder="SPRING25"
            maxLength={20}
            value={example}
            error={errorOf('example', example)}
            onChange={(event) => onChange({ example: event.target.value })}
          />
        )}
        {type === 'flow' && <FlowFields {...{ button, errorOf, onChange }} />}
        {type === 'url' && (
          <Field
            label="Address"
            placeholder="https://acme.example/orders/{{1}}"
            value={url}
            error={errorOf('url', url)}
            onChange={(event) => onChange({ url: event.target.value })}
          />
        )}
        {type === 'url' && url.includes('{{') && (
          <Field
            label="Sample for {{1}}"
            value={example}
            error={errorOf('example', example)}
            onChange={(event) => onChange({ example: event.target.value })}
          />
        )}
        {type === 'phone_number' && (
          <Field
            label="Phone number"
            type="tel"
            placeholder="+351912345678"
            value={phoneNumber}
            error={errorOf('phone_number', phoneNumber)}
            onChange={(event) => onChange({ phoneNumber: event.target.value })}
          />
        )}
      </div>
      <div className="row button-row-acts">
        <Button
          kind="quiet"
          disabled={onUp === null}
          onClick={onUp ?? undefined}
          aria-label={`Move button ${number} up`}
          title="Move up"
        >
          ↑
        </Button>
        <Button kind="quiet" icon="close" label={`Remove button ${number}`} onClick={onRemove} />
      </div>
    </fieldset>
  )
}
