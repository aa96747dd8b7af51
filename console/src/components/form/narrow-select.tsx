import { FilterSelect, type Option } from './field.tsx'

/** How a list is narrowed by the address of its page; see `useNarrow`. */
export type Narrowing = { search: URLSearchParams; onNarrow: (change: Record<string, string>) => void }

type Props = Narrowing & { name: string; label: string; options: readonly Option[] }

/** A filter whose choice is one parameter of the address. */
export function NarrowSelect({ search, onNarrow, name, label, options }: Props) {
  return (
    <FilterSelect
      label={label}
      options={options}
      value={search.get(name) ?? ''}
      onChange={(event) => onNarrow({ [name]: event.target.value })}
    />
  )
}
