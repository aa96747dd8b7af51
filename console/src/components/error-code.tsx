import { CopyButton } from './form/copy.tsx'

/** A code of the API: the page that explains it, and a way to take it along. */
export function ErrorCode({ code }: { code: string }) {
  return (
    <span className="copy">
      <a href={`/docs/errors#${code}`}>{code}</a>
      <CopyButton text={code} label="Copy error code" />
    </span>
  )
}
