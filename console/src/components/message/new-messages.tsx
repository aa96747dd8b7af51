import { Button } from '../form/button.tsx'
import { countOf } from '../plural.ts'

/** Over a list of messages that stands still while a person reads further up. */
export function NewMessages({ count, onShow }: { count: number; onShow: () => void }) {
  return (
    <span className="thread-news">
      <Button icon="down" onClick={onShow}>
        {countOf(count, 'new message')}
      </Button>
    </span>
  )
}
