import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { api, call, type Schemas, uploadRows } from '../../api.ts'
import { Button } from '../../components/form/button.tsx'
import { useSubmit } from '../../components/form/use-submit.ts'
import { sendComponents, valueFields } from '../../components/message/template-values.ts'
import { FailureNotice } from '../../components/state.tsx'
import { pathOf } from './broadcast-query.ts'
import { type ChosenFile, FileStep } from './file-step.tsx'
import { componentsText, type Sources } from './recipients-file.ts'
import { keepUpload } from './upload-report.tsx'

type Template = Schemas['Template']
export type Uploaded = { id: string; result: Schemas['UploadResult'] }

type UploadProps = {
  name: string
  from: string
  template: Template
  onBack: () => void
  onUploaded: (uploaded: Uploaded) => void
}

/** The draft is made with its file: without recipients it would only be in the way. */
export function UploadStep({ name, from, template, onBack, onUploaded }: UploadProps) {
  const client = useQueryClient()
  const [, navigate] = useLocation()
  const [file, setFile] = useState<ChosenFile | null>(null)
  const [sources, setSources] = useState<Sources>({})
  const [part, setPart] = useState(0)
  const form = useSubmit(async () => {
    if (!file?.to) return
    setPart(0)
    const components = sendComponents(template, componentsText(sources))
    const draft = await createDraft({ name, from, template, components })
    try {
      const result = await uploadRows({ broadcastId: draft.id, file: file.file, toColumn: file.to }, setPart)
      keepUpload(client, draft.id, result)
      await client.invalidateQueries({ queryKey: ['broadcasts'] })
      if (result.problems_total > 0) onUploaded({ id: draft.id, result })
      else navigate(`/broadcasts/${draft.id}`)
    } catch (error) {
      // What is wrong with the file is told here.
      await call(api.DELETE('/console/api/broadcasts/{broadcast_id}', pathOf(draft.id))).catch(() => {})
      throw error
    }
  })
  const fields = valueFields(template)
  const isMissing = fields.some(({ key, isOptional }) => {
    const { column = '', text = '' } = sources[key] ?? {}
    return !isOptional && column === '' && text.trim() === ''
  })
  return (
    <form className="stack" onSubmit={form.onSubmit}>
      <FileStep {...{ template, fields, file, sources }} onFile={setFile} onSources={setSources} />
      <FailureNotice failure={form.failure} />
      <div className="row">
        <Button disabled={form.busy} onClick={onBack}>
          Back
        </Button>
        <Button kind="primary" icon="arrow" type="submit" busy={form.busy} disabled={!file?.to || isMissing}>
          {form.busy ? 'Uploading…' : 'Upload and check'}
        </Button>
        {form.busy && <UploadProgress part={part} />}
        {file && (!file.to || isMissing) && (
          <span className="small muted">
            {file.to ? 'Choose where each value comes from.' : 'Choose the column with the phone numbers.'}
          </span>
        )}
      </div>
    </form>
  )
}

/** How much has left. The gateway reads the rows meanwhile, and answers soon after the last. */
function UploadProgress({ part }: { part: number }) {
  return (
    <>
      <progress className="grow upload-progress" aria-label="Upload" value={part} />
      <span className="small muted" role="status">
        {part < 1 ? `${Math.floor(part * 100)}%` : 'Checking the last rows…'}
      </span>
    </>
  )
}

type Draft = { name: string; from: string; template: Template; components: Record<string, unknown>[] }

function createDraft({ name, from, template, components }: Draft): Promise<Schemas['Broadcast']> {
  const body = {
    name: name.trim(),
    template: template.name,
    language: template.language,
    ...(from === '' ? {} : { from }),
    ...(components.length > 0 ? { components: components as never } : {}),
  }
  return call(api.POST('/console/api/broadcasts', { body }))
}
