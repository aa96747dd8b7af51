import type { StoredEdit, StoredTemplate } from '../stored-template.ts'
import { applyPlatformStatus, type PlatformStatusReport, statusFromPlatform } from '../template-status.ts'

/**
 * A template after the platform reported its status. An approved one that is under review again was edited: the approved
 * content stays in use until the verdict. A rejection ends that: the template then has the content that was rejected.
 */
export function applyReport(now: StoredTemplate, report: PlatformStatusReport): StoredTemplate {
  const status = statusFromPlatform(report.status, now.previous_status)
  // Which words are under review, the list will tell.
  if (now.status === 'approved' && status === 'pending')
    return { ...now, pending_edit: now.pending_edit ?? asEdit(now, report.at) }
  const reported = { ...now, ...applyPlatformStatus(now, report) }
  if (now.pending_edit === null) return reported
  if (isVerdict(report)) return settleEdit(reported, now.pending_edit)
  return status === 'disabled' || status === 'deleted' ? { ...reported, pending_edit: null } : reported
}

/** The edit becomes the content, whatever the verdict: it is what the platform has. */
export function settleEdit(template: StoredTemplate, edit: StoredEdit): StoredTemplate {
  const { submittedAt: _, ...content } = edit
  return { ...template, ...content, pending_edit: null }
}

export function asEdit(
  { parameter_format, components, variables, message_send_ttl_seconds }: Omit<StoredEdit, 'submittedAt'>,
  submittedAt: number,
): StoredEdit {
  const ttl = message_send_ttl_seconds === undefined ? {} : { message_send_ttl_seconds }
  return { parameter_format, components, variables, ...ttl, submittedAt }
}

/** The end of a pause is reported as an approval, too. */
function isVerdict({ status, title }: PlatformStatusReport): boolean {
  const word = status.toUpperCase()
  return (word === 'APPROVED' && title !== 'UNPAUSE') || word === 'REJECTED'
}
