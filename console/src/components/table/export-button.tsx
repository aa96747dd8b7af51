import { callFile, type FileAnswer } from '../../api.ts'
import { Button } from '../form/button.tsx'
import { useSubmit } from '../form/use-submit.ts'
import { useConfirmed } from '../overlay/confirmation.tsx'
import { toast } from '../overlay/toast.tsx'
import { FailureNotice } from '../state.tsx'
import { downloadBlob } from './download.ts'

type ExportProps = {
  /** What is taken away, as in "Exported messages". */
  what: string
  /** Asks the gateway for the file, with the filters of the page. */
  ask: () => Promise<FileAnswer>
}

/** The list of the page as a file, as far as its filters go. Taking it away may need the password again. */
export function ExportButton({ what, ask }: ExportProps) {
  const confirmed = useConfirmed()
  const form = useSubmit(async () => {
    const { blob, filename } = await confirmed(() => callFile(ask()))
    downloadBlob(blob, filename)
    toast(`Exported ${what}`)
  })
  return (
    <div className="export">
      <Button icon="download" busy={form.busy} onClick={() => void form.submit()}>
        {form.busy ? 'Exporting…' : 'Export CSV'}
      </Button>
      <FailureNotice failure={form.failure} />
    </div>
  )
}
