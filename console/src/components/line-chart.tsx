import { ChartFrame, useChartCursor, useWidth } from './chart-frame.tsx'
import { toPath, type Value } from './chart-path.ts'
import { niceMax, niceTicks } from './chart-scale.ts'
import { formatNumber } from './meter.tsx'

/** At most four; a fifth would be told apart by nobody. */
export type Series = { name: string; values: readonly Value[] }

type LineChartProps = {
  title: string
  summary: string
  labels: readonly string[]
  series: readonly Series[]
  /** Rates stand on 0 to 100, counts on a scale of their own. */
  max?: number
  format?: (value: number) => string
  apiPath: string
  onOpen?: ((index: number) => void) | undefined
}

const height = 200
const left = 48
const bottom = 22
const top = 12
// Half of the last label hangs over.
const right = 22

/** Several series over the same times; they differ by dash as well as by colour. */
export function LineChart(props: LineChartProps) {
  const { title, summary, labels, series, max, format = formatNumber, apiPath, onOpen } = props
  const [element, width] = useWidth<SVGSVGElement>()
  const cursor = useChartCursor(labels.length, onOpen)
  const largest = Math.max(0, ...series.flatMap(({ values }) => values.map((value) => value ?? 0)))
  const end = max ?? niceMax(largest)
  const step = (width - left - right) / Math.max(1, labels.length - 1)
  const x = (index: number) => left + index * step
  const y = (value: number) => top + (height - top - bottom) * (1 - value / end)
  const at = cursor.active
  const shown = (value: number | null | undefined) => (value === null || value === undefined ? '–' : format(value))
  const reading =
    at === null
      ? summary
      : `${labels[at]}: ${series.map(({ name, values }) => `${name} ${shown(values[at])}`).join(', ')}`
  return (
    <ChartFrame
      title={title}
      summary={reading}
      columns={['Time', ...series.map(({ name }) => name)]}
      rows={labels.map((label, index) => ({
        label,
        cells: series.map(({ values }) => ({ value: values[index] ?? null, shown: shown(values[index]) })),
      }))}
      onOpen={onOpen}
      apiPath={apiPath}
    >
      <Legend series={series} />
      <svg
        ref={element}
        className="chart"
        data-opens={onOpen !== undefined}
        height={height}
        viewBox={`0 0 ${width} ${height}`}
        role="img"
        aria-label={`${title}. ${summary}`}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: arrow keys walk along the points
        tabIndex={0}
        onKeyDown={cursor.onKeyDown}
        onBlur={cursor.onBlur}
        onPointerLeave={cursor.onPointerLeave}
        onClick={() => at !== null && onOpen?.(at)}
        onPointerMove={(event) => {
          const box = event.currentTarget.getBoundingClientRect()
          const index = Math.round((event.clientX - box.left - left) / step)
          cursor.setActive(Math.max(0, Math.min(labels.length - 1, index)))
        }}
      >
        {niceTicks(end).map((tick) => (
          <g key={tick}>
            <line className="grid-line" x1={left} x2={width} y1={y(tick)} y2={y(tick)} />
            <text x={left - 8} y={y(tick) + 4} textAnchor="end">
              {format(tick)}
            </text>
          </g>
        ))}
        {at !== null && <line className="cursor-line" x1={x(at)} x2={x(at)} y1={top} y2={height - bottom} />}
        {series.map(({ name, values }, index) => (
          <g key={name} className={`series-${index + 1}`}>
            <path className="line" d={toPath(values, x, y)} />
            {at !== null && values[at] !== null && values[at] !== undefined && (
              <circle className="dot" cx={x(at)} cy={y(values[at])} r="4" />
            )}
          </g>
        ))}
        {labels.map((label, index) =>
          (labels.length - 1 - index) % Math.max(1, Math.ceil(64 / step)) === 0 ? (
            <text key={label} x={x(index)} y={height - 6} textAnchor="middle">
              {label}
            </text>
          ) : null,
        )}
      </svg>
    </ChartFrame>
  )
}

function Legend({ series }: { series: readonly Series[] }) {
  return (
    <ul className="legend">
      {series.map(({ name }, index) => (
        <li key={name}>
          <svg width="24" height="8" aria-hidden="true" className={`series-${index + 1}`}>
            <line x1="0" x2="24" y1="4" y2="4" strokeWidth="2" />
          </svg>
          {name}
        </li>
      ))}
    </ul>
  )
}
