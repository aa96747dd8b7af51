/** `media_id` names an uploaded file, `link` one on the web; a request gives exactly one. */
export type MediaHeader = {
  type: 'image' | 'video' | 'document'
  media_id?: string | null
  link?: string | null
  filename?: string | null
}
export type InteractiveHeader = { type: 'text'; text: string } | MediaHeader
export type ReplyButton = { id: string; title: string }
export type ListRow = { id: string; title: string; description?: string | null }
export type ListSection = { title?: string | null; rows: readonly ListRow[] }

type Framed = { header?: InteractiveHeader | null; body: string; footer?: string | null }
export type ButtonsRequest = Framed & { type: 'buttons'; buttons: readonly ReplyButton[] }
export type ListRequest = Framed & { type: 'list'; button: string; sections: readonly ListSection[] }
export type QuickRepliesRequest = Framed & { type: 'quick_replies'; replies: readonly string[] }
export type InteractiveRequest = ButtonsRequest | ListRequest | QuickRepliesRequest

type Frame = { header: InteractiveHeader | null; body: string; footer: string | null }
export type ButtonsContent = Frame & { kind: 'buttons'; buttons: readonly ReplyButton[] }
export type ListContent = Frame & {
  kind: 'list'
  button: string
  sections: readonly {
    title: string | null
    rows: readonly { id: string; title: string; description: string | null }[]
  }[]
}
/** What goes to a platform, which knows buttons and lists and nothing shorter. */
export type InteractiveContent = ButtonsContent | ListContent

/** Turns a checked request into what is sent. Quick replies become buttons, or a list where there are more than 3. */
export function interactiveContent(request: InteractiveRequest): InteractiveContent {
  const frame = { header: request.header ?? null, body: request.body, footer: request.footer ?? null }
  if (request.type === 'buttons') return { kind: 'buttons', ...frame, buttons: request.buttons }
  if (request.type === 'list')
    return { kind: 'list', ...frame, button: request.button, sections: request.sections.map(section) }
  const replies = repliesOf(request.replies)
  if (rendersAsButtons(request.replies)) return { kind: 'buttons', ...frame, buttons: replies }
  return { kind: 'list', ...frame, button: quickRepliesLabel, sections: [section({ rows: replies })] }
}

export function rendersAsButtons(replies: readonly string[]): boolean {
  return replies.length <= buttonsMax
}

export const buttonsMax = 3
const quickRepliesLabel = 'Options'

function section({ title, rows }: ListSection): ListContent['sections'][number] {
  return { title: title ?? null, rows: rows.map((row) => ({ ...row, description: row.description ?? null })) }
}

/** Ids a receiver can read in its code: `Another day` answers as `another_day`. */
function repliesOf(labels: readonly string[]): ReplyButton[] {
  const taken = new Set<string>()
  return labels.map((title, index) => {
    const base = slugOf(title) || `reply_${index + 1}`
    let id = base
    for (let copy = 2; taken.has(id); copy++) id = `${base}_${copy}`
    taken.add(id)
    return { id, title }
  })
}

function slugOf(label: string): string {
  // Letters of every script stay; accents come off, so that `Não` and `Nao` read alike in code.
  const plain = label
    .normalize('NFKD')
    .replace(/\p{Mn}/gu, '')
    .normalize('NFC')
    .toLowerCase()
  return plain.replace(/[^\p{L}\p{N}]+/gu, '_').replace(/^_+|_+$/g, '')
}
