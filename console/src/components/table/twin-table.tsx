import { SortHeading, useSort } from './sort.tsx'

/** A point of a chart: its name and what stands at it, a number to sort by and its words. */
export type TwinRow = { label: string; cells: readonly { value: number | null; shown: string }[] }

type TwinProps = {
  title: string
  columns: readonly string[]
  rows: readonly TwinRow[]
  onOpen?: ((index: number) => void) | undefined
}

/** What a chart shows, for readers and for those who want the numbers; opens what the chart opens. */
export function TwinTable({ title, columns, rows, onOpen }: TwinProps) {
  const points = rows.map((row, index) => ({ ...row, index }))
  const { sorted, sorting, press } = useSort(points, (column) => {
    const at = columns.indexOf(column)
    return ({ cells, index }) => (at === 0 ? index : (cells[at - 1]?.value ?? null))
  })
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <section className="table-box table-scroll" aria-label={title} tabIndex={0}>
      <table className="table">
        <caption className="visually-hidden">{title}</caption>
        <thead>
          <tr>
            {columns.map((column, index) => (
              <SortHeading key={column} isNumber={index > 0} {...{ column, sorting }} onPress={() => press(column)}>
                {column}
              </SortHeading>
            ))}
          </tr>
        </thead>
        <tbody>
          {sorted.map(({ label, cells, index }) => (
            <tr key={label}>
              <th scope="row">
                {onOpen ? (
                  <button type="button" className="link-button" onClick={() => onOpen(index)}>
                    {label}
                  </button>
                ) : (
                  label
                )}
              </th>
              {cells.map(({ shown }, at) => (
                <td key={columns[at + 1]} className="number">
                  {shown}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
