import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { headerFiles } from '../../accepted-files.ts'
import { api, call, type Schemas } from '../../api.ts'
import { sendMessage } from '../../send-message.ts'
import { useSession } from '../../session.ts'
import { ButtonLink } from '../form/button.tsx'
import { Field, Select } from '../form/field.tsx'
import { SearchField } from '../form/search-field.tsx'
import { UploadField } from '../form/upload-field.tsx'
import { useSubmit } from '../form/use-submit.ts'
import { Dialog } from '../overlay/dialog.tsx'
import { FormDialog } from '../overlay/form-dialog.tsx'
import { toast } from '../overlay/toast.tsx'
import { QueryView } from '../query-view.tsx'
import { FailureNotice, Notice } from '../state.tsx'
import { Bubble } from './bubble.tsx'
import { canFill, filledContent, sendComponents, type ValueField, valueFields } from './template-values.ts'

type Template = Schemas['Template']

type DialogProps = {
  /** Who gets it; without one it is asked for. */
  to?: string
  from?: string | undefined
  /** Without one it is chosen among the approved. */
  template?: Template
  onClose: () => void
  onSent?: (messageId: string) => void
}

/** Fill in a template, see it, send it. */
export function TemplateDialog(props: DialogProps) {
  const [search, setSearch] = useState('')
  const [chosen, setChosen] = useState('')
  const templates = useQuery({
    queryKey: ['templates', 'approved', search],
    queryFn: ({ signal }) => {
      const query = { status: 'approved', limit: 100, ...(search ? { search } : {}) }
      return call(api.GET('/console/api/templates', { params: { query }, signal }))
    },
    enabled: props.template === undefined,
    placeholderData: (previous) => previous,
  })
  if (props.template) return <FilledTemplate {...props} template={props.template} />
  const list = templates.data?.templates ?? []
  const template = list.find(({ id }) => id === chosen) ?? list[0]
  const choice = (
    <QueryView query={templates}>
      {({ pagination }) => (
        <div className="stack stack-tight">
          {(pagination.has_more || search !== '') && (
            <SearchField label="Search templates" value={search} onSettled={setSearch} />
          )}
          {list.length > 0 ? (
            <Select
              label="Template"
              value={template?.id ?? ''}
              options={list.map(({ id, name, language }) => ({ value: id, label: `${name} (${language})` }))}
              onChange={(event) => setChosen(event.target.value)}
            />
          ) : (
            <Notice>
              <p>{search ? 'No results.' : 'No template is approved yet.'}</p>
              {!search && <ButtonLink to="/templates">Open templates</ButtonLink>}
            </Notice>
          )}
        </div>
      )}
    </QueryView>
  )
  if (!template || !canFill(template)) {
    return (
      <Dialog title="Send a template" onClose={props.onClose}>
        {choice}
        {template && <OnlyByApi template={template} />}
      </Dialog>
    )
  }
  return <FilledTemplate key={template.id} {...props} template={template} choice={choice} />
}

type FilledProps = DialogProps & { template: Template; choice?: React.ReactNode }

function FilledTemplate({ template, choice, to, from, onClose, onSent }: FilledProps) {
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
  const form = useSubmit(async () => {
    setTried(true)
    if (fields.some(({ key, isOptional }) => !isOptional && !values[key]?.trim())) return
    const id = await sendTemplate(template, values, { to: to ?? address, ...(from ? { from } : {}) })
    await client.invalidateQueries({ queryKey: ['conversations'] })
    onClose()
    toast('Sent')
    onSent?.(id)
  })
  return (
    <FormDialog
      title={isTest ? `Send a test of ${template.name}` : 'Send a template'}
      act="Send template"
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
            isMissing={hasTried && !field.isOptional && !values[field.key]?.trim()}
            onChange={(value) => setValues((before) => ({ ...before, [field.key]: value }))}
          />
        ))}
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
  place: { to: string; from?: string },
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

type ValueProps = { field: ValueField; value: string; isMissing: boolean; onChange: (value: string) => void }

function ValueInput({ field: { label, kind, example }, value, isMissing, onChange }: ValueProps) {
  if (kind === 'text' || kind === 'time') {
    return (
      <Field
        label={label}
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
