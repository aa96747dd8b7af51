import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { useLocation } from 'wouter'
import { type ApiFailure, api, call, toFailure } from '../../api.ts'
import { CodeBlock } from '../../components/code-block.tsx'
import { Button } from '../../components/form/button.tsx'
import { UnsavedNote } from '../../components/form/unsaved-note.tsx'
import { useSubmit } from '../../components/form/use-submit.ts'
import { Dialog } from '../../components/overlay/dialog.tsx'
import { toast } from '../../components/overlay/toast.tsx'
import { Page, SameByCode } from '../../components/page.tsx'
import { countOf } from '../../components/plural.ts'
import { FailureNotice, Notice } from '../../components/state.tsx'
import { useKeptDraft, useWarnBeforeUnload } from '../../drafts.ts'
import { useSampleWorld } from '../../sample-world.ts'
import { postSamples } from '../../samples.ts'
import { useSession } from '../../session.ts'
import { buttons } from '../../texts.ts'
import { OlderDraft } from './older-draft.tsx'
import { TemplateActs } from './template-acts.tsx'
import { type Draft, problemsByPart, toInput } from './template-draft.ts'
import { TemplateFacts } from './template-facts.tsx'
import { TemplateForm } from './template-form.tsx'
import { Checks, Preview } from './template-preview.tsx'
import { StatusNotice, type Template, TemplateLead } from './template-status.tsx'
import { useDraftCheck } from './use-draft-check.ts'

const afterSaving =
  'Meta reviews every edit, at most one a day. Customers get the approved version until then; if the edit is rejected, the template cannot be sent until a new edit is approved.'

type EditorProps = {
  start: Draft
  /** Null: a template that does not exist yet. */
  record: Template | null
}

/** The form at the left, the phone at the right; what is wrong is said while it is written. */
export function TemplateEditor({ start, record }: EditorProps) {
  const world = useSampleWorld()
  const { user } = useSession()
  const [draft, keepDraft] = useKeptDraft(user.id, draftName(record, start), start)
  const [isAsking, setAsking] = useState(false)
  const [hasTried, setTried] = useState(false)
  const input = toInput(draft)
  const check = useDraftCheck(input)
  const save = useSave(draft, record, () => keepDraft(null))
  const isChanged = JSON.stringify(draft) !== JSON.stringify(start)
  useWarnBeforeUnload(isChanged)
  const problems = problemsByPart(input, check.data?.problems ?? [])
  /** An empty field is no mistake before the form is submitted. */
  const errorOf = (part: string, value: string) => (hasTried || value.trim() !== '' ? problems.get(part) : undefined)

  function press(submit: boolean): void {
    setTried(true)
    if (record?.status === 'approved' && !isChanged) toast('Nothing was changed, so nothing was submitted')
    else if (record?.status === 'approved') setAsking(true)
    else void save.press(submit)
  }

  return (
    <Page
      title={record?.name ?? 'New template'}
      trail={[{ title: 'Templates', to: '/templates' }]}
      lead={
        record ? <TemplateLead record={record} /> : 'Meta approves it once; after that it can start a conversation.'
      }
      action={<EditorActs record={record} busy={save.form.busy} onPress={press} />}
    >
      <div className="stack">
        {record && <StatusNotice record={record} />}
        {record && <OlderDraft record={record} onRestore={keepDraft} />}
        {record?.status === 'approved' && <p className="muted">{afterSaving}</p>}
        <SaveFailure failure={save.form.failure} problems={check.data?.problems.length ?? 0} />
        <div className="split template-split">
          <TemplateForm {...{ draft, record, errorOf }} onChange={(change) => keepDraft({ ...draft, ...change })} />
          <div className="stack template-side">
            <Preview check={check.data} />
            <Checks
              check={check.data}
              failure={check.error && toFailure(check.error)}
              isFresh={record === null && !isChanged && !hasTried}
            />
            {isChanged && <UnsavedNote onDiscard={() => keepDraft(null)} />}
          </div>
        </div>
        {record && <TemplateFacts record={record} />}
        {!record && (
          <SameByCode>
            <CodeBlock title="Create it" samples={postSamples(world, '/v1/chat/templates', input)} />
          </SameByCode>
        )}
      </div>
      {isAsking && (
        <SubmitEditDialog
          onClose={() => setAsking(false)}
          onSubmit={() => {
            setAsking(false)
            void save.press(true)
          }}
        />
      )}
    </Page>
  )
}

type ActsProps = { record: Template | null; busy: boolean; onPress: (submit: boolean) => void }

function EditorActs({ record, busy, onPress }: ActsProps) {
  const isDraft = record === null || record.status === 'draft'
  return (
    <div className="row">
      <div className="editor-bar">
        {isDraft && (
          <Button busy={busy} onClick={() => onPress(false)}>
            Save draft
          </Button>
        )}
        <Button kind="primary" icon="arrow" busy={busy} onClick={() => onPress(true)}>
          {record?.status === 'rejected' || isDraft ? 'Submit for review' : 'Save and submit'}
        </Button>
      </div>
      {record && <TemplateActs record={record} />}
    </div>
  )
}

/** What the form marks already is only counted. */
function SaveFailure({ failure, problems }: { failure: ApiFailure | null; problems: number }) {
  if (!failure || problems === 0) return <FailureNotice failure={failure} />
  return (
    <Notice tone="error" icon="alert">
      Fix {countOf(problems, 'problem')} first. Each is listed under Checks and marked in the form.
    </Notice>
  )
}

/** An edit belongs to the content it began with; what is duplicated is a draft of its own. */
function draftName(record: Template | null, start: Draft): string {
  if (record) return `template.${record.id}.${record.version}`
  return start.body === '' ? 'template.new' : `template.new.${start.language}.${start.body.slice(0, 40)}`
}

/** What happens to sending is said before, not after. */
function SubmitEditDialog({ onClose, onSubmit }: { onClose: () => void; onSubmit: () => void }) {
  return (
    <Dialog
      title="Submit this edit for review?"
      onClose={onClose}
      foot={
        <>
          <Button onClick={onClose}>{buttons.cancel}</Button>
          <Button kind="primary" icon="arrow" onClick={onSubmit}>
            Submit edit
          </Button>
        </>
      }
    >
      <p>{afterSaving}</p>
    </Dialog>
  )
}

/** Saves a draft or submits; a new template gets its own address. */
function useSave(draft: Draft, record: Template | null, onSaved: () => void) {
  const client = useQueryClient()
  const [, go] = useLocation()
  const wanted = useRef(true)
  const form = useSubmit(async () => {
    const { name, language = null, ...content } = toInput(draft)
    const submit = wanted.current
    const body = { ...content, submit }
    const path = { template_id: record?.id ?? '' }
    const saving = record
      ? call(
          api.PUT('/console/api/templates/{template_id}', {
            params: { path },
            body: { ...body, if_version: record.version },
          }),
        )
      : call(api.POST('/console/api/templates', { body: { name, language, ...body } }))
    const saved = await saving.catch(async (error: unknown) => {
      // Someone else was first: their version comes into the form, which says so and offers what was written here.
      if (toFailure(error).code === 'concurrent_change') await client.invalidateQueries({ queryKey: ['templates'] })
      throw error
    })
    onSaved()
    await client.invalidateQueries({ queryKey: ['templates'] })
    if (!record) go(`/templates/${saved.id}`, { replace: true })
    toast(submit ? `Submitted ${saved.name} for review` : `Saved ${saved.name} as a draft`)
  })
  function press(submit: boolean): Promise<void> {
    wanted.current = submit
    return form.submit()
  }
  return { form, press }
}
