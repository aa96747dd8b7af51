import { type ReactNode, useState } from 'react'
import { Icon, type IconName } from '../icon.tsx'
import { readContent } from './bubble-content.ts'
import type { SeenButton, SeenCard, SeenMedia, SeenMessage, Tap } from './seen-message.ts'
import { readMarks } from './text-marks.ts'

type BubbleProps = {
  type: string
  content: Record<string, unknown>
  side: 'business' | 'customer'
  meta?: ReactNode
  /** The message it replies to. */
  quoted?: ReactNode
  /** Without it buttons are only shown. */
  onTap?: ((tap: Tap) => void) | undefined
}

/** One message as the customer's phone shows it. All of it is text: nothing a customer writes becomes markup. */
export function Bubble({ type, content, side, meta, quoted, onTap }: BubbleProps) {
  const seen = readContent(type, content)
  return (
    <div className="bubble-box" data-side={side}>
      <div className="bubble">
        {quoted}
        {seen.media && <BubbleMedia media={seen.media} />}
        {seen.header && (
          <p className="bubble-header" dir="auto">
            {seen.header}
          </p>
        )}
        {seen.offer && (
          <div>
            <p className="bubble-header" dir="auto">
              {seen.offer.text}
            </p>
            {seen.offer.end && <p className="bubble-footer">{seen.offer.end}</p>}
          </div>
        )}
        {seen.text && <MarkedText text={seen.text} />}
        {seen.note && (
          <p className="bubble-note" dir="auto">
            {seen.note}
          </p>
        )}
        {seen.json !== undefined && (
          <details className="bubble-json">
            <summary>As sent</summary>
            {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
            <pre tabIndex={0}>{JSON.stringify(seen.json, null, 2)}</pre>
          </details>
        )}
        {seen.place && (
          <a className="bubble-place" href={seen.place} target="_blank" rel="noreferrer noopener">
            Open map
          </a>
        )}
        {seen.footer && (
          <p className="bubble-footer" dir="auto">
            {seen.footer}
          </p>
        )}
        {meta && <div className="bubble-meta">{meta}</div>}
      </div>
      <BubbleButtons seen={seen} onTap={onTap} />
      {seen.cards.length > 0 && <BubbleCards cards={seen.cards} onTap={onTap} />}
    </div>
  )
}

const markTags = { bold: 'strong', italic: 'em', strike: 's', mono: 'code' } as const

export function MarkedText({ text }: { text: string }) {
  return (
    <p className="bubble-text" dir="auto">
      {readMarks(text).map(({ text: part, mark }, index) => {
        const Tag = mark ? markTags[mark] : 'span'
        // biome-ignore lint/suspicious/noArrayIndexKey: parts of one text never change places
        return <Tag key={index}>{part}</Tag>
      })}
    </p>
  )
}

const mediaIcons: Record<string, IconName> = {
  image: 'eye',
  video: 'play',
  audio: 'play',
  sticker: 'eye',
  document: 'template',
  location: 'pin',
}

/** Pictures of ours are shown; everything else is named. Nothing is fetched from elsewhere. */
function BubbleMedia({ media }: { media: SeenMedia }) {
  const [isBroken, setBroken] = useState(false)
  const address = media.mediaId === null ? null : `/console/api/media/${encodeURIComponent(media.mediaId)}/content`
  const name = media.isVoice ? 'Voice note' : (media.name ?? media.link ?? media.mimeType ?? media.kind)
  if ((media.kind === 'image' || media.kind === 'sticker') && address && !isBroken) {
    return (
      <img className="bubble-image" src={address} alt={media.name ?? 'Sent picture'} onError={() => setBroken(true)} />
    )
  }
  return (
    <div className="bubble-file">
      <Icon name={mediaIcons[media.kind] ?? 'template'} size={20} />
      <span className="bubble-file-name">{name}</span>
      {address && !isBroken && (
        <a href={address} download={media.name ?? ''} aria-label={`Download ${name}`} className="copy-button">
          <Icon name="download" size={16} />
        </a>
      )}
    </div>
  )
}

/** The cards of a carousel, side by side as on a phone. */
function BubbleCards({ cards, onTap }: { cards: readonly SeenCard[]; onTap: BubbleProps['onTap'] }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <ul className="bubble-cards" aria-label="Cards" tabIndex={0}>
      {cards.map((card, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: cards never change places
        <li key={index} className="bubble-card">
          <div className="bubble">
            {card.media && <BubbleMedia media={card.media} />}
            {card.text && <MarkedText text={card.text} />}
          </div>
          <BubbleButtons seen={{ ...card, list: null }} onTap={onTap} />
        </li>
      ))}
    </ul>
  )
}

type Tappable = Pick<SeenMessage, 'buttons' | 'list'>

function BubbleButtons({ seen, onTap }: { seen: Tappable; onTap: BubbleProps['onTap'] }) {
  const [isOpen, setOpen] = useState(false)
  if (seen.buttons.length === 0 && !seen.list) return null
  return (
    <div className="bubble-buttons">
      {seen.buttons.map((button, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: while they are written, two may be alike
        <BubbleButton key={index} button={button} onTap={onTap} />
      ))}
      {seen.list && (
        <button type="button" className="bubble-button" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          <Icon name="list" size={15} />
          {seen.list.button}
        </button>
      )}
      {seen.list && isOpen && (
        <div className="bubble-list">
          {seen.list.sections.map(({ title, rows }) => (
            <div key={`${title} ${rows[0]?.id}`}>
              {title && <p className="bubble-list-title">{title}</p>}
              {rows.map((row) => (
                <button
                  key={row.id}
                  type="button"
                  className="bubble-row"
                  disabled={!onTap}
                  onClick={() => {
                    setOpen(false)
                    onTap?.({ kind: 'list', id: row.id, title: row.title })
                  }}
                >
                  <span>{row.title}</span>
                  {row.description && <span className="bubble-row-detail">{row.description}</span>}
                </button>
              ))}
            </div>
          ))}
        </div>
      )}
    </div>
  )
}

const buttonIcons: Record<string, IconName> = { url: 'link', phone_number: 'phone', otp: 'copy', copy_code: 'copy' }

function BubbleButton({ button, onTap }: { button: SeenButton; onTap: BubbleProps['onTap'] }) {
  const { kind, label, value } = button
  const icon = buttonIcons[kind] ?? 'arrow'
  const tap = tapOf(button)
  if (tap && onTap) {
    return (
      <button type="button" className="bubble-button" onClick={() => onTap(tap)}>
        <Icon name={icon} size={15} />
        {label}
      </button>
    )
  }
  return (
    <span className="bubble-button" title={value ?? undefined}>
      <Icon name={icon} size={15} />
      {label} {kind === 'copy_code' && value && <code>{value}</code>}
    </span>
  )
}

function tapOf({ kind, label, id, value, tap }: SeenButton): Tap | null {
  if (tap) return tap
  if (kind === 'reply' && id !== null) return { kind: 'button', id, title: label }
  return kind === 'quick_reply' ? { kind, payload: value ?? label, title: label } : null
}
