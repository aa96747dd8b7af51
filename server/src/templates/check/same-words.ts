import { bodyProblem, type FieldProblem } from '../../contract/schema.ts'
import type { Runtime } from '../../runtime.ts'
import { findTemplatesSaying } from '../../store/templates/templates.ts'
import { findComponent, type TemplateContent, type TemplateInput } from '../content/template-types.ts'
import { fromRow } from '../stored-template.ts'
import type { TemplateChannel } from '../template-channel.ts'

/**
 * The platform takes no two templates with the same body and footer; the languages of one may say the same, and codes
 * all do. Drafts and rejected templates do not count: whether the platform has such words it alone can tell.
 */
export async function checkSameWords(
  rt: Runtime,
  { accountId, channelId }: Pick<TemplateChannel, 'accountId' | 'channelId'>,
  content: TemplateContent,
  input: Pick<TemplateInput, 'body' | 'components'>,
): Promise<FieldProblem[]> {
  if (content.category === 'authentication') return []
  const body = findComponent(content, 'body')?.text ?? ''
  const owner = { account_id: accountId, channel_id: channelId }
  const rows = await rt.store.read(findTemplatesSaying, { ...owner, name: content.name, body: body.toLowerCase() })
  const twin = rows.map(fromRow).find((other) => wordsOf(other) === wordsOf(content))
  if (!twin) return []
  const message = `The template ${twin.name} (${twin.language}) has the same body and footer; Meta does not accept a second one.`
  return [bodyProblem(fieldOfBody(input), 'duplicate', message)]
}

function wordsOf(content: TemplateContent): string {
  return JSON.stringify([findComponent(content, 'body')?.text, findComponent(content, 'footer')?.text])
}

function fieldOfBody({ body, components }: Pick<TemplateInput, 'body' | 'components'>): string {
  if ((body ?? null) !== null) return 'body'
  const index = (components ?? []).findIndex((raw) => /^body$/i.test(String((raw as { type?: unknown } | null)?.type)))
  return index === -1 ? 'components' : `components[${index}].text`
}
