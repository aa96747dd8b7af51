import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api, call, type Schemas } from '../../api.ts'
import { Button, ButtonLink } from '../../components/form/button.tsx'
import { Field, Select } from '../../components/form/field.tsx'
import { TemplatePicker } from '../../components/message/template-picker.tsx'
import { canFill } from '../../components/message/template-values.ts'
import { Page } from '../../components/page.tsx'
import { NoPermission, Notice } from '../../components/state.tsx'
import { useMay, useSession } from '../../session.ts'
import { broadcastQuery } from './broadcast-query.ts'
import { Steps } from './steps.tsx'
import { UploadReport } from './upload-report.tsx'
import { type Uploaded, UploadStep } from './upload-step.tsx'

type Template = Schemas['Template']

const trail = [{ title: 'Broadcasts', to: '/broadcasts' }]

/** Template and number, then a file with the recipients. With the file the draft is made; the rest is at its own address. */
export function NewBroadcast({ from }: { from: string | null }) {
  const { user, owners } = useSession()
  const mayWrite = useMay('broadcasts:write')
  const origin = useQuery({ ...broadcastQuery(from ?? ''), enabled: from !== null && mayWrite })
  const [uploaded, setUploaded] = useState<Uploaded | null>(null)
  const page = { title: 'New broadcast', trail }
  if (!mayWrite) {
    return (
      <Page {...page}>
        <NoPermission role={user.role} what="new broadcasts" owners={owners} />
      </Page>
    )
  }
  if (from !== null && origin.isPending) return <Page {...page}>{null}</Page>
  if (uploaded) {
    return (
      <Page {...page}>
        <Steps current="file" />
        <div className="stack">
          <UploadReport id={uploaded.id} result={uploaded.result} />
          <div className="row">
            <ButtonLink kind="primary" icon="arrow" to={`/broadcasts/${uploaded.id}`}>
              Review
            </ButtonLink>
          </div>
        </div>
      </Page>
    )
  }
  return (
    <Page {...page}>
      <Prepare name={origin.data?.name ?? ''} number={origin.data?.from ?? ''} onUploaded={setUploaded} />
    </Page>
  )
}

type PrepareProps = { name: string; number: string; onUploaded: (uploaded: Uploaded) => void }

function Prepare({ name: given, number, onUploaded }: PrepareProps) {
  const [name, setName] = useState(given)
  const [from, setFrom] = useState(number)
  const [template, setTemplate] = useState<Template | null>(null)
  const [isChosen, setChosen] = useState(false)
  if (!isChosen || !template) {
    return (
      <>
        <Steps current="template" />
        <TemplateStep
          {...{ name, from, template }}
          onName={setName}
          onFrom={setFrom}
          onTemplate={setTemplate}
          onNext={() => setChosen(true)}
        />
      </>
    )
  }
  return (
    <>
      <Steps current="file" />
      <UploadStep {...{ name, from, template, onUploaded }} onBack={() => setChosen(false)} />
    </>
  )
}

type TemplateStepProps = {
  name: string
  from: string
  template: Template | null
  onName: (name: string) => void
  onFrom: (from: string) => void
  onTemplate: (template: Template) => void
  onNext: () => void
}

function TemplateStep({ name, from, template, onName, onFrom, onTemplate, onNext }: TemplateStepProps) {
  const [isPicking, setPicking] = useState(false)
  const [hasTried, setTried] = useState(false)
  const channels = useQuery({
    queryKey: ['channel', 'list'],
    queryFn: ({ signal }) => call(api.GET('/console/api/channels', { signal })),
  })
  const numbers = (channels.data?.channels ?? []).flatMap((channel) => channel.numbers)
  const cannot = template !== null && !canFill(template)
  return (
    <form
      className="form card card-body broadcast-form"
      onSubmit={(event) => {
        event.preventDefault()
        setTried(true)
        if (name.trim() && template && !cannot) onNext()
      }}
    >
      <Field
        label="Name"
        hint="Only for you: recipients never see it."
        value={name}
        maxLength={120}
        dir="auto"
        error={hasTried && !name.trim() ? 'Enter a name.' : undefined}
        onChange={(event) => onName(event.target.value)}
      />
      {numbers.length > 1 && (
        <Select
          label="From"
          options={[
            { value: '', label: 'Default number' },
            ...numbers.map(({ phone_number: value }) => ({ value, label: value })),
          ]}
          value={from}
          onChange={(event) => onFrom(event.target.value)}
        />
      )}
      <div className="field">
        <span className="field-label">Template</span>
        <p className="row">
          {template && (
            <span>
              <strong className="break">{template.name}</strong>{' '}
              <span className="muted">
                ({template.language}, {template.category})
              </span>
            </span>
          )}
          <Button icon="template" onClick={() => setPicking(true)}>
            {template ? 'Choose another' : 'Choose a template'}
          </Button>
        </p>
        {hasTried && !template && <p className="field-error">Choose a template.</p>}
      </div>
      {cannot && (
        <Notice>
          <p>It has cards or products, which this form cannot fill. Create the broadcast with the API.</p>
        </Notice>
      )}
      <div className="row">
        <Button kind="primary" icon="arrow" type="submit">
          Continue
        </Button>
      </div>
      {isPicking && (
        <TemplatePicker
          onClose={() => setPicking(false)}
          onChoose={(chosen) => {
            onTemplate(chosen)
            setPicking(false)
          }}
        />
      )}
    </form>
  )
}
