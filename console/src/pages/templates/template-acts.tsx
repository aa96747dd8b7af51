import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { api, call } from '../../api.ts'
import { Button } from '../../components/form/button.tsx'
import { useSubmit } from '../../components/form/use-submit.ts'
import { Icon } from '../../components/icon.tsx'
import { TemplateDialog } from '../../components/message/template-dialog.tsx'
import { canFill } from '../../components/message/template-values.ts'
import { FormDialog } from '../../components/overlay/form-dialog.tsx'
import { Menu } from '../../components/overlay/menu.tsx'
import { toast } from '../../components/overlay/toast.tsx'
import { FailureNotice } from '../../components/state.tsx'
import { useMay } from '../../session.ts'
import { fitsForm } from './read-template.ts'
import type { Template } from './template-status.tsx'

/** What can be done with a template besides editing it. */
export function TemplateActs({ record }: { record: Template }) {
  const [, go] = useLocation()
  const [isDeleting, setDeleting] = useState(false)
  const [isTesting, setTesting] = useState(false)
  const maySend = useMay('messages:send')
  const mayWrite = useMay('templates:write')
  const canDelete = mayWrite && record.status !== 'disabled' && record.status !== 'deleted'
  return (
    <>
      {record.status === 'approved' && maySend && canFill(record) && (
        <Button icon="arrow" onClick={() => setTesting(true)}>
          Send a test
        </Button>
      )}
      <Menu
        label={`Actions for ${record.name}`}
        trigger={<Icon name="dots" size={16} />}
        items={[
          ...(mayWrite && fitsForm(record)
            ? [{ label: 'Duplicate', icon: 'copy', onSelect: () => go(`/templates/new?from=${record.id}`) } as const]
            : []),
          {
            label: 'View its messages',
            icon: 'message',
            onSelect: () => go(`/messages?template=${encodeURIComponent(record.name)}`),
          },
          ...(canDelete
            ? [{ label: 'Delete', icon: 'ban', danger: true, onSelect: () => setDeleting(true) } as const]
            : []),
        ]}
      />
      {isTesting && (
        <TemplateDialog
          template={record}
          onClose={() => setTesting(false)}
          onSent={(id) => go(`/messages/${encodeURIComponent(id)}`)}
        />
      )}
      {isDeleting && <DeleteDialog record={record} onClose={() => setDeleting(false)} />}
    </>
  )
}

function DeleteDialog({ record, onClose }: { record: Template; onClose: () => void }) {
  const client = useQueryClient()
  const [, go] = useLocation()
  const form = useSubmit(async () => {
    await call(api.DELETE('/console/api/templates/{template_id}', { params: { path: { template_id: record.id } } }))
    await client.invalidateQueries({ queryKey: ['templates'] })
    go('/templates')
    toast(`Deleted ${record.name}`)
  })
  return (
    <FormDialog title={`Delete ${record.name}?`} act="Delete template" kind="danger" {...{ form, onClose }}>
      <p>
        The language {record.language} of this template is deleted, also at Meta. Sends that use it are rejected from
        then on. Other languages stay.
      </p>
      <FailureNotice failure={form.failure} />
    </FormDialog>
  )
}
