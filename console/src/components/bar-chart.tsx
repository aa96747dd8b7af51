import { ChartFrame, useChartCursor, useWidth } from './chart-frame.tsx'
import { niceMax, niceTicks } from './chart-scale.ts'
import { formatNumber } from './meter.tsx'

export type Bar = { label: string; value: number /** Still growing: hatched by its outline. */; partial?: boolean }

type BarChartProps = {
  title: string
  unit: string
  bars: readonly Bar[]
  /** A line nobody should cross, such as a quota. */
  limit?: { value: number; label: string } | undefined
  apiPath: string
  onOpen?: ((index: number) => void) | undefined
}

const height = 160
const left = 44
// Half of the last label hangs over.
const right = 18
const bottom = 22
const top = 12

/** Counts over time, from 0. */
export function BarChart({ title, unit, bars, limit, apiPath, onOpen }: BarChartProps) {
  const [element, width] = useWidth<SVGSVGElement>()
  const cursor = useChartCursor(bars.length, onOpen)
  const largest = Math.max(0, ...bars.map(({ value }) => value))
  // A limit far above the bars would flatten them; it is drawn once they come near.
  const shownLimit = limit && largest > limit.value / 4 ? limit : undefined
  const max = niceMax(Math.max(largest, shownLimit?.value ?? 0))
  const y = (value: number) => top + (height - top - bottom) * (1 - value / max)
  const step = (width - left - right) / Math.max(1, bars.length)
  const total = bars.reduce((sum, { value }) => sum + value, 0)
  const peak = bars.find(({ value }) => value === largest)
  const summary =
    total === 0 ? `No ${unit}.` : `${formatNumber(total)} ${unit}, most ${formatNumber(largest)} at ${peak?.label}.`
  const active = cursor.active === null ? undefined : bars[cursor.active]
  return (
    <ChartFrame
      title={title}
      summary={active ? `${active.label}: ${formatNumber(active.value)} ${unit}` : summary}
      columns={['Time', unit.charAt(0).toUpperCase() + unit.slice(1)]}
      rows={bars.map(({ label, value }) => ({ label, cells: [{ value, shown: formatNumber(value) }] }))}
      onOpen={onOpen}
      apiPath={apiPath}
    >
      <svg
        ref={element}
        className="chart"
        data-opens={onOpen !== undefined}
        height={height}
        viewBox={`0 0 ${width} ${height}`}
        role="img"
        aria-label={`${title}. ${summary}`}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: arrow keys walk along the bars
        tabIndex={0}
        onKeyDown={cursor.onKeyDown}
        onBlur={cursor.onBlur}
        onPointerLeave={cursor.onPointerLeave}
      >
        {niceTicks(max).map((tick) => (
          <g key={tick}>
            <line className="grid-line" x1={left} x2={width} y1={y(tick)} y2={y(tick)} />
            <text x={left - 8} y={y(tick) + 4} textAnchor="end">
              {formatNumber(tick)}
            </text>
          </g>
        ))}
        {bars.map((bar, index) => (
          // biome-ignore lint/a11y/noStaticElementInteractions: Enter on the chart does the same
          <g key={bar.label} onPointerEnter={() => cursor.setActive(index)} onClick={() => onOpen?.(index)}>
            <rect x={left + index * step} y={0} width={step} height={height - bottom} fill="transparent" />
            <rect
              className="bar"
              data-partial={bar.partial}
              data-active={cursor.active === index}
              x={left + index * step + step * 0.15}
              y={y(bar.value)}
              width={step * 0.7}
              height={Math.max(0, y(0) - y(bar.value))}
              rx={Math.min(3, step * 0.2)}
            />
          </g>
        ))}
        {shownLimit && (
          <>
            <line className="limit-line" x1={left} x2={width} y1={y(shownLimit.value)} y2={y(shownLimit.value)} />
            <text x={width} y={y(shownLimit.value) - 4} textAnchor="end">
              {shownLimit.label}
            </text>
          </>
        )}
        <AxisLabels labels={bars.map(({ label }) => label)} step={step} />
      </svg>
    </ChartFrame>
  )
}

/** As many labels as fit, the last one always: it is now. */
function AxisLabels({ labels, step }: { labels: readonly string[]; step: number }) {
  const every = Math.max(1, Math.ceil(56 / step))
  return labels.map((label, index) =>
    (labels.length - 1 - index) % every === 0 ? (
      <text key={label} x={left + (index + 0.5) * step} y={height - 6} textAnchor="middle">
        {label}
      </text>
    ) : null,
  )
}
