import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { headerFiles } from '../../accepted-files.ts'
import type { Schemas } from '../../api.ts'
import { noteSentTemplate } from '../../preferences.ts'
import { sendMessage } from '../../send-message.ts'
import { useSession } from '../../session.ts'
import { Button, ButtonLink } from '../form/button.tsx'
import { Field } from '../form/field.tsx'
import { dueInstant, SendLater } from '../form/send-later.tsx'
import { UploadField } from '../form/upload-field.tsx'
import { useSubmit } from '../form/use-submit.ts'
import { Dialog } from '../overlay/dialog.tsx'
import { FormDialog } from '../overlay/form-dialog.tsx'
import { toast } from '../overlay/toast.tsx'
import { FailureNotice, Notice } from '../state.tsx'
import { Bubble } from './bubble.tsx'
import { TemplatePicker } from './template-picker.tsx'
import { canFill, filledContent, sendComponents, type ValueField, valueFields } from './template-values.ts'

type Template = Schemas['Template']

type DialogProps = {
  /** Who gets it; without one it is asked for. */
  to?: string
  from?: string | undefined
  /** Offered for the values. */
  customerName?: string | null
  /** Without one it is chosen among the approved. */
  template?: Template
  onClose: () => void
  onSent?: (messageId: string) => void
}

/** Choose a template if none is given, fill it in, see it, send it. */
export function TemplateDialog(props: DialogProps) {
  const [chosen, setChosen] = useState<Template | null>(props.template ?? null)
  if (!chosen) return <TemplatePicker onChoose={setChosen} onClose={props.onClose} />
  const choice = props.template ? null : (
    <p className="row template-chosen">
      <span className="grow">
        <strong>{chosen.name}</strong> <span className="muted">({chosen.language})</span>
      </span>
      <Button icon="template" onClick={() => setChosen(null)}>
        Choose another
      </Button>
    </p>
  )
  if (!canFill(chosen)) {
    return (
      <Dialog title="Send a template" onClose={props.onClose}>
        {choice}
        <OnlyByApi template={chosen} />
      </Dialog>
    )
  }
  return <FilledTemplate key={chosen.id} {...props} template={chosen} choice={choice} />
}

type FilledProps = DialogProps & { template: Template; choice?: React.ReactNode }

function FilledTemplate({ template, choice, to, from, customerName, onClose, onSent }: FilledProps) {
  const client = useQueryClient()
  const { account } = useSession()
  const fields = valueFields(template)
  // A test may carry the samples; what is written to a customer is about that customer.
  const isTest = to === undefined
  const [values, setValues] = useState<Record<string, string>>(() =>
    isTest ? Object.fromEntries(fields.map(({ key, example }) => [key, example])) : {},
  )
  const [address, setAddress] = useState(isTest && account.sandbox ? '+12025550100' : '')
  const [hasTried, setTried] = useState(false)
  const [later, setLater] = useState<string | null>(null)
  const form = useSubmit(async () => {
    setTried(true)
    if (fields.some(({ key, isOptional }) => !isOptional && !values[key]?.trim())) return
    const sendAt = later === null ? null : dueInstant(later)
    if (later !== null && sendAt === null) return
    const place = { to: to ?? address, ...(from ? { from } : {}) }
    const due = sendAt === null ? {} : { send_at: sendAt }
    const id = await sendTemplate(template, values, { ...place, ...due })
    await client.invalidateQueries({ queryKey: ['conversations'] })
    noteSentTemplate(template.id)
    onClose()
    toast(later === null ? 'Sent' : 'Planned')
    onSent?.(id)
  })
  return (
    <FormDialog
      title={isTest ? `Send a test of ${template.name}` : 'Send a template'}
      act={later === null ? 'Send template' : 'Plan template'}
      icon="arrow"
      {...{ form, onClose }}
    >
      <div className="form">
        {choice}
        {isTest && <TestAddress value={address} error={form.errorOf('to')} onChange={setAddress} />}
        {fields.map((field) => (
          <ValueInput
            key={field.key}
            field={field}
            value={values[field.key] ?? ''}
            offer={customerName ?? null}
            isMissing={hasTried && !field.isOptional && !values[field.key]?.trim()}
            onChange={(value) => setValues((before) => ({ ...before, [field.key]: value }))}
          />
        ))}
        <SendLater value={later} error={form.errorOf('send_at')} isMissing={hasTried} onChange={setLater} />
        {/* The problems of values are about places in the request; the sentence says which value. */}
        <FailureNotice failure={isTest && form.errorOf('to') ? null : form.failure} />
      </div>
      <div className="screen">
        <Bubble type="template" content={filledContent(template, values)} side="business" />
      </div>
    </FormDialog>
  )
}

function OnlyByApi({ template }: { template: Template }) {
  return (
    <>
      <Notice>
        <p>It has cards or products, which this form cannot fill. Send it with the API.</p>
        <ButtonLink to={`/templates/${template.id}`}>Open the template</ButtonLink>
      </Notice>
      <div className="screen">
        <Bubble type="template" content={filledContent(template, {})} side="business" />
      </div>
    </>
  )
}

function sendTemplate(
  template: Template,
  values: Readonly<Record<string, string>>,
  place: { to: string; from?: string; send_at?: string },
): Promise<string> {
  const components = sendComponents(template, values)
  const { name, language } = template
  const filled = components.length > 0 ? { components: components as never } : {}
  return sendMessage({ kind: 'template', body: { ...place, template: name, language, ...filled } })
}

type AddressProps = { value: string; error: string | undefined; onChange: (address: string) => void }

function TestAddress({ value, error, onChange }: AddressProps) {
  const { account } = useSession()
  return (
    <Field
      label="To"
      inputMode="tel"
      value={value}
      error={error}
      hint={account.sandbox ? 'This sandbox customer reads every message.' : 'With + and the country code.'}
      onChange={(event) => onChange(event.target.value)}
    />
  )
}

type ValueProps = {
  field: ValueField
  value: string
  offer: string | null
  isMissing: boolean
  onChange: (value: string) => void
}

function ValueInput({ field: { label, kind, example }, value, offer, isMissing, onChange }: ValueProps) {
  if (kind === 'text' || kind === 'time') {
    return (
      <Field
        label={label}
        hint={
          kind === 'text' && offer && value === '' ? (
            <button type="button" className="link-button" onClick={() => onChange(offer)}>
              Use <bdi>{offer}</bdi>
            </button>
          ) : undefined
        }
        type={kind === 'time' ? 'datetime-local' : 'text'}
        value={value}
        dir="auto"
        placeholder={example && `For example: ${example}`}
        error={isMissing ? 'Enter the text that the customer sees here.' : undefined}
        onChange={(event) => onChange(event.target.value)}
      />
    )
  }
  return (
    <UploadField
      label={label}
      accept={headerFiles[kind]}
      mediaId={value}
      error={isMissing ? `Choose the ${kind} to send.` : undefined}
      onChange={onChange}
    />
  )
}
