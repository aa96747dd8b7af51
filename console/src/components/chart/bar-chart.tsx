import { formatNumber } from '../format-number.ts'
import { ChartCanvas, usePlot } from './chart-canvas.tsx'
import { ChartFrame } from './chart-frame.tsx'
import { niceMax } from './chart-scale.ts'

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

/** Counts over time, from 0. */
export function BarChart({ title, unit, bars, limit, apiPath, onOpen }: BarChartProps) {
  const largest = Math.max(0, ...bars.map(({ value }) => value))
  // A limit far above the bars would flatten them; it is drawn once they come near.
  const shownLimit = limit && largest > limit.value / 4 ? limit : undefined
  const max = niceMax(Math.max(largest, shownLimit?.value ?? 0))
  const plot = usePlot({ count: bars.length, max, height: 160, onOpen })
  const { left, width, y, cursor } = plot
  const step = plot.innerWidth / Math.max(1, bars.length)
  const summary = summaryOf(bars, unit, largest)
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
      <ChartCanvas
        plot={plot}
        label={`${title}. ${summary}`}
        format={formatNumber}
        labels={bars.map(({ label }) => label)}
        x={(index) => left + (index + 0.5) * step}
        step={step}
      >
        {bars.map((bar, index) => (
          <g key={bar.label} onPointerEnter={() => cursor.setActive(index)}>
            <rect x={left + index * step} y={0} width={step} height={plot.floor} fill="transparent" />
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
      </ChartCanvas>
    </ChartFrame>
  )
}

function summaryOf(bars: readonly Bar[], unit: string, largest: number): string {
  const total = bars.reduce((sum, { value }) => sum + value, 0)
  const peak = bars.find(({ value }) => value === largest)
  return total === 0
    ? `No ${unit}.`
    : `${formatNumber(total)} ${unit}, at most ${formatNumber(largest)} (${peak?.label}).`
}
