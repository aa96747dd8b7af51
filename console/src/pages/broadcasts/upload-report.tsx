import { type QueryClient, useQuery } from '@tanstack/react-query'
import { api, callFile, type Schemas } from '../../api.ts'
import { Button } from '../../components/form/button.tsx'
import { useSubmit } from '../../components/form/use-submit.ts'
import { formatNumber } from '../../components/format-number.ts'
import { countOf } from '../../components/plural.ts'
import { FailureNotice, Notice } from '../../components/state.tsx'
import { downloadBlob } from '../../components/table/download.ts'
import { Words } from '../../components/words.tsx'

type Result = Schemas['UploadResult']

const keyOf = (id: string) => ['broadcast-upload', id]

/** What was wrong with a file is known until the page is left. */
export function keepUpload(client: QueryClient, id: string, result: Result): void {
  client.setQueryData(keyOf(id), result)
}

export function useUpload(id: string): Result | null {
  return (
    useQuery<Result | null>({ queryKey: keyOf(id), queryFn: () => null, staleTime: Number.POSITIVE_INFINITY }).data ??
    null
  )
}

/** What was taken of a file, and each line that was not, with what is wrong with it. */
export function UploadReport({ id, result }: { id: string; result: Result }) {
  const { accepted, problems, problems_total: total, upload_id: uploadId } = result
  const file = useSubmit(async () => {
    const path = { broadcast_id: id, upload_id: uploadId ?? '' }
    const asked = api.GET('/console/api/broadcasts/{broadcast_id}/uploads/{upload_id}/problems', {
      params: { path },
      parseAs: 'blob',
    })
    const { blob } = await callFile(asked as never)
    downloadBlob(blob, 'problems.csv')
  })
  return (
    <>
      <Notice tone={accepted === 0 ? 'error' : total > 0 ? 'warn' : 'ok'} icon={total > 0 ? 'alert' : 'check'}>
        <p>
          {countOf(accepted, 'recipient')} added.
          {total > 0 && ` ${countOf(total, 'line')} ${total === 1 ? 'was' : 'were'} not.`}
        </p>
      </Notice>
      {total > 0 && (
        <div className="table-box">
          <div className="table-room">
            <table className="table table-cards">
              <caption className="visually-hidden">Lines that were not added</caption>
              <thead>
                <tr>
                  <th scope="col">Line</th>
                  <th scope="col">Column</th>
                  <th scope="col">Problem</th>
                </tr>
              </thead>
              <tbody>
                {problems.map(({ line, column, message }) => (
                  <tr key={`${line} ${column}`}>
                    <td data-label="Line">{line}</td>
                    <td data-label="Column" dir="auto">
                      {column ?? '–'}
                    </td>
                    <td data-label="What is wrong">
                      <Words text={message} />
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
          <div className="pagination">
            <span className="grow">
              {problems.length < total ? `First ${problems.length} of ${formatNumber(total)}` : `${total} in total`}
            </span>
            <Button icon="download" busy={file.busy} onClick={() => void file.submit()}>
              Download all
            </Button>
          </div>
        </div>
      )}
      <FailureNotice failure={file.failure} />
    </>
  )
}
