import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { receivableFiles } from '../../accepted-files.ts'
import { api, call } from '../../api.ts'
import { Button } from '../../components/form/button.tsx'
import { useSubmit } from '../../components/form/use-submit.ts'
import { Icon } from '../../components/icon.tsx'
import { Menu, type MenuItem } from '../../components/overlay/menu.tsx'
import { FailureNotice } from '../../components/state.tsx'
import { type Attachment, toAttachment } from './attachment.ts'
import type { Place } from './place.ts'

const samples: readonly { type: Attachment['type']; label: string }[] = [
  { type: 'image', label: 'A sample picture' },
  { type: 'document', label: 'A sample document' },
  { type: 'audio', label: 'A sample voice message' },
  { type: 'video', label: 'A sample video' },
  { type: 'sticker', label: 'A sample sticker' },
]

const captionless = new Set<string | undefined>(['audio', 'sticker'])

type Media = { type: Attachment['type'] } & Partial<Attachment>

/** Where the customer types. What is sent reaches the gateway as a callback of the platform. */
export function Composer({ at, onWrite }: { at: Place; onWrite: () => void }) {
  const client = useQueryClient()
  const file = useRef<HTMLInputElement>(null)
  const media = useRef<Media | null>(null)
  const [text, setText] = useState('')
  const [problem, setProblem] = useState<string | null>(null)
  const form = useSubmit(async () => {
    const attached = media.current
    media.current = null
    if (!attached && text.trim() === '') return
    const isText = !captionless.has(attached?.type)
    const caption = text.trim() === '' || !isText ? {} : { caption: text.trim() }
    const act = attached
      ? ({ kind: 'media', ...attached, ...caption } as const)
      : ({ kind: 'text', text: text.trim() } as const)
    const body = { number_id: at.numberId, customer: at.customer, act }
    await call(api.POST('/console/api/sandbox/inbound', { body }))
    // What a voice message or a sticker could not take along is still to be sent.
    if (isText) setText('')
    onWrite()
    await client.invalidateQueries({ queryKey: ['sandbox'] })
  })

  function attach(chosen: Media): void {
    media.current = chosen
    void form.submit()
  }

  async function choose(chosen: File | undefined): Promise<void> {
    if (!chosen) return
    const attachment = await toAttachment(chosen)
    setProblem(attachment ? null : 'The simulated phone accepts files up to 170 kB; images are resized automatically.')
    if (attachment) attach(attachment)
  }

  const items: MenuItem[] = [
    { label: 'Your own file…', icon: 'plus', onSelect: () => file.current?.click() },
    ...samples.map(({ type, label }) => ({ label, icon: 'template' as const, onSelect: () => attach({ type }) })),
  ]
  return (
    <form className="composer" onSubmit={form.onSubmit}>
      <div className="composer-line">
        <Menu label="Attach" trigger={<Icon name="plus" size={18} />} items={items} />
        <input
          className="input"
          aria-label="Type as the customer"
          placeholder="Type as the customer…"
          maxLength={4_096}
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
        <Button kind="primary" icon="arrow" type="submit" label="Send as the customer" busy={form.busy} />
      </div>
      <input
        ref={file}
        type="file"
        hidden
        accept={receivableFiles}
        onChange={(event) => {
          void choose(event.target.files?.[0])
          event.target.value = ''
        }}
      />
      {problem && (
        <p className="field-error" role="alert">
          {problem}
        </p>
      )}
      <FailureNotice failure={form.failure} />
    </form>
  )
}
