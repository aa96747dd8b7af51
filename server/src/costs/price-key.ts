/** What Meta charges a message as. Free is what it names so, what it exempts, and what it does not bill. */
export type PriceFacts = { category: string; type: string | null; free: boolean }

/** The facts as one value, by which messages are counted. */
export function priceKey({ category, type, free }: { category: string; type: string | null; free?: boolean }): string {
  const end = free ? '/free' : ''
  return type === null && !free ? category : `${category}/${type ?? ''}${end}`
}

export function readPriceKey(key: string): PriceFacts {
  const [category = key, type = '', end] = key.split('/', 3)
  return { category, type: type === '' ? null : type, free: end === 'free' || type.startsWith('free_') }
}
