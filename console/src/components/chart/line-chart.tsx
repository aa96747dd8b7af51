import { formatNumber } from '../format-number.ts'
import { ChartCanvas, usePlot } from './chart-canvas.tsx'
import { ChartFrame } from './chart-frame.tsx'
import { toPath, type Value } from './chart-path.ts'
import { niceMax } from './chart-scale.ts'

/** At most four; a fifth would be told apart by nobody. Red is kept for what went wrong. */
export type Series = { name: string; values: readonly Value[]; tone?: 'error' }

type LineChartProps = {
  title: string
  summary: string
  labels: readonly string[]
  series: readonly Series[]
  /** Rates stand on 0 to 100, counts on a scale of their own. */
  max?: number
  height?: number
  format?: (value: number) => string
  apiPath: string
  onOpen?: ((index: number) => void) | undefined
}

/** Several series over the same times; they differ by dash as well as by colour. */
export function LineChart(props: LineChartProps) {
  const { title, summary, labels, series, max, height = 200, format = formatNumber, apiPath, onOpen } = props
  const largest = Math.max(0, ...series.flatMap(({ values }) => values.map((value) => value ?? 0)))
  const plot = usePlot({ count: labels.length, max: max ?? niceMax(largest), height, onOpen })
  const { left, y } = plot
  const step = plot.innerWidth / Math.max(1, labels.length - 1)
  const x = (index: number) => left + index * step
  const at = plot.cursor.active
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
      <ChartCanvas
        plot={plot}
        label={`${title}. ${summary}`}
        format={format}
        labels={labels}
        x={x}
        step={step}
        indexAt={(offset) => Math.round((offset - left) / step)}
      >
        {at !== null && <line className="cursor-line" x1={x(at)} x2={x(at)} y1={plot.top} y2={plot.floor} />}
        {series.map((one, index) => {
          const value = at === null ? null : one.values[at]
          return (
            <g key={one.name} className={classOf(one, index)}>
              <path className="line" d={toPath(one.values, x, y)} />
              {at !== null && value !== null && value !== undefined && (
                <circle className="dot" cx={x(at)} cy={y(value)} r="4" />
              )}
            </g>
          )
        })}
      </ChartCanvas>
    </ChartFrame>
  )
}

function Legend({ series }: { series: readonly Series[] }) {
  return (
    <ul className="legend">
      {series.map((one, index) => (
        <li key={one.name}>
          <svg width="24" height="8" aria-hidden="true" className={classOf(one, index)}>
            <line x1="0" x2="24" y1="4" y2="4" strokeWidth="2" />
          </svg>
          {one.name}
        </li>
      ))}
    </ul>
  )
}

function classOf({ tone }: Series, index: number): string {
  return tone === 'error' ? 'series-error' : `series-${index + 1}`
}
