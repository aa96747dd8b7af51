import type { ReactNode } from 'react'
import { useChartCursor, useWidth } from './chart-frame.tsx'
import { niceTicks } from './chart-scale.ts'

/** Around what is drawn: numbers at the left, times below, half of the last label at the right. */
const left = 48
const right = 22
const top = 12
const bottom = 22
const labelWidth = 64

export type Plot = ReturnType<typeof usePlot>
type PlotSize = { count: number; max: number; height: number; onOpen?: ((index: number) => void) | undefined }

/** A piece of paper: from 0 to `max` upwards, `count` points along, and one of them under the pointer or the keys. */
export function usePlot({ count, max, height, onOpen }: PlotSize) {
  const [element, width] = useWidth<SVGSVGElement>()
  const cursor = useChartCursor(count, onOpen)
  return {
    element,
    cursor,
    width,
    height,
    left,
    top,
    floor: height - bottom,
    innerWidth: width - left - right,
    max,
    y: (value: number) => top + (height - top - bottom) * (1 - value / max),
    onOpen,
  }
}

type CanvasProps = {
  plot: Plot
  /** The text a screen reader says. */
  label: string
  format: (value: number) => string
  labels: readonly string[]
  /** Where a point stands along, and how far it is to the next. */
  x: (index: number) => number
  step: number
  /** The point the pointer is at; a chart whose marks are wide enough tells it by themselves. */
  indexAt?: (offset: number) => number
  children: ReactNode
}

/** Lines at round numbers and as many labels as fit, the last one always: it is now. */
export function ChartCanvas({ plot, label, format, labels, x, step, indexAt, children }: CanvasProps) {
  const { element, cursor, width, height, y, max, onOpen } = plot
  const every = Math.max(1, Math.ceil(labelWidth / step))
  const nearest = (offset: number) => Math.max(0, Math.min(labels.length - 1, indexAt?.(offset) ?? 0))
  return (
    <svg
      ref={element}
      className="chart"
      data-opens={onOpen !== undefined}
      height={height}
      viewBox={`0 0 ${width} ${height}`}
      role="img"
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: arrow keys walk along the points
      tabIndex={0}
      onKeyDown={cursor.onKeyDown}
      onBlur={cursor.onBlur}
      onPointerLeave={cursor.onPointerLeave}
      onPointerMove={(event) =>
        indexAt && cursor.setActive(nearest(event.clientX - event.currentTarget.getBoundingClientRect().left))
      }
      onClick={() => cursor.active !== null && onOpen?.(cursor.active)}
    >
      {niceTicks(max).map((tick) => (
        <g key={tick}>
          <line className="grid-line" x1={left} x2={width} y1={y(tick)} y2={y(tick)} />
          <text x={left - 8} y={y(tick) + 4} textAnchor="end">
            {format(tick)}
          </text>
        </g>
      ))}
      {children}
      {labels.map((text, index) =>
        (labels.length - 1 - index) % every === 0 ? (
          <text key={text} x={x(index)} y={height - 6} textAnchor="middle">
            {text}
          </text>
        ) : null,
      )}
    </svg>
  )
}
