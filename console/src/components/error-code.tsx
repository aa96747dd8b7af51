import { Link } from 'wouter'
import { CopyButton } from './form/copy.tsx'

/** A code of the API: the page that explains it, and a way to take it along. */
export function ErrorCode({ code }: { code: string }) {
  return (
    <span className="copy">
      <Link to={`/help/errors#${code}`}>{code}</Link>
      <CopyButton text={code} label="Copy error code" />
    </span>
  )
}
