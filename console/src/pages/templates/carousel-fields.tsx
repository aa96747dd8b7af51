import { useRef } from 'react'
import { flushSync } from 'react-dom'
import { Button } from '../../components/form/button.tsx'
import { Select } from '../../components/form/field.tsx'
import { BodyField } from './body-field.tsx'
import { ButtonFields } from './button-fields.tsx'
import type { FormProps } from './form-parts.tsx'
import { isFile, SampleFile } from './header-fields.tsx'
import { SampleFields } from './sample-fields.tsx'
import { cardButtonKinds, type cardHeaders, type DraftCard, emptyDraft, nextCard } from './template-draft.ts'

type CardHeader = (typeof cardHeaders)[number]
const kinds: readonly { value: CardHeader; label: string }[] = [
  { value: 'image', label: 'An image' },
  { value: 'video', label: 'A video' },
  { value: 'product', label: 'A product of the catalog' },
]
const [cardsMin, cardsMax, cardButtonsMax, cardCharactersMax] = [2, 10, 2, 160]

/** Cards are for marketing alone; what is written for the other layout stays. */
export function LayoutChoice({ draft, onChange }: FormProps) {
  if (draft.category !== 'marketing' && !draft.isCarousel) return null
  const start = [nextCard([], 'card-1'), nextCard([], 'card-2')]
  return (
    <Select
      label="Layout"
      options={[
        { value: 'message', label: 'One message' },
        { value: 'carousel', label: 'Carousel: cards to scroll through' },
      ]}
      value={draft.isCarousel ? 'carousel' : 'message'}
      onChange={({ target: { value } }) =>
        onChange({ isCarousel: value === 'carousel', ...(draft.cards.length === 0 ? { cards: start } : {}) })
      }
    />
  )
}

export function CarouselFields({ draft, onChange, errorOf }: FormProps) {
  const list = useRef<HTMLDivElement>(null)
  const { cards } = draft
  const set = (next: readonly DraftCard[]) => onChange({ cards: next })
  const header = cards[0]?.header ?? 'image'

  function add(): void {
    flushSync(() => set([...cards, nextCard(cards, `card-${crypto.randomUUID()}`)]))
    list.current?.querySelectorAll<HTMLElement>('.card-fields')[cards.length]?.querySelector('input')?.focus()
  }

  /** The focus stays in the list: at the card that took its place. */
  function remove(index: number): void {
    flushSync(() => set(cards.filter((_, at) => at !== index)))
    const left = list.current?.querySelectorAll<HTMLElement>('.card-fields')
    ;(left?.[index] ?? left?.[index - 1])?.querySelector<HTMLElement>('input, select')?.focus()
  }

  const error = errorOf('carousel.cards', 'some')
  return (
    <fieldset className="field">
      <legend className="field-label">
        Cards{' '}
        <span className="field-optional">
          ({cards.length} of {cardsMax})
        </span>
      </legend>
      <div className="stack" ref={list}>
        <Select
          label="Each card shows"
          hint="All cards have the same parts: what they show, a text or none, and the kinds of their buttons."
          options={kinds}
          value={header}
          onChange={(event) => {
            const next = event.target.value as CardHeader
            set(cards.map((card) => ({ ...card, header: next, headerSample: null, buttons: [] })))
          }}
        />
        {cards.map((card, index) => (
          <CardFields
            key={card.key}
            card={card}
            number={index + 1}
            errorOf={(part, value) => errorOf(`carousel.cards[${index}]${part && `.${part}`}`, value)}
            onChange={(part) => set(cards.map((one) => (one.key === card.key ? { ...one, ...part } : one)))}
            onRemove={cards.length > cardsMin ? () => remove(index) : null}
          />
        ))}
        {error && <span className="field-error">{error}</span>}
        {cards.length < cardsMax && (
          <div>
            <Button icon="plus" onClick={add}>
              Add card
            </Button>
          </div>
        )}
      </div>
    </fieldset>
  )
}

type CardProps = {
  card: DraftCard
  number: number
  errorOf: FormProps['errorOf']
  onChange: (part: Partial<DraftCard>) => void
  onRemove: (() => void) | null
}

/** A small template of its own: the fields are those of the large one. */
function CardFields({ card, number, errorOf, onChange, onRemove }: CardProps) {
  const props: FormProps = { draft: { ...emptyDraft, ...card }, onChange, errorOf }
  const error = errorOf('', 'some')
  const isProduct = card.header === 'product'
  return (
    <fieldset className="card-fields">
      <legend className="visually-hidden">Card {number}</legend>
      <div className="row row-apart">
        <strong aria-hidden="true">Card {number}</strong>
        {onRemove && <Button kind="quiet" icon="close" label={`Remove card ${number}`} onClick={onRemove} />}
      </div>
      {isFile(card.header) && <SampleFile key={card.header} kind={card.header} {...props} />}
      {!isProduct && <BodyField {...props} label="Text" optional most={cardCharactersMax} />}
      {!isProduct && <SampleFields {...props} />}
      <ButtonFields
        {...props}
        allowed={cardButtonKinds.filter((kind) => (isProduct ? kind === 'spm' || kind === 'url' : kind !== 'spm'))}
        most={isProduct ? 1 : cardButtonsMax}
      />
      {error && <span className="field-error">{error}</span>}
    </fieldset>
  )
}
