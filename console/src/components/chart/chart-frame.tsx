import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { useSampleWorld } from '../../sample-world.ts'
import { getSamples } from '../../samples.ts'
import { Button } from '../form/button.tsx'
import { CopyButton } from '../form/copy.tsx'
import { type TwinRow, TwinTable } from '../table/twin-table.tsx'

type ChartFrameProps = {
  title: string
  /** One sentence that says what the picture says. */
  summary: string
  columns: readonly string[]
  rows: readonly TwinRow[]
  /** Opens what a point stands for. */
  onOpen?: ((index: number) => void) | undefined
  /** The call of the API that gives the same figures. */
  apiPath: string
  children: ReactNode
}

/** Every chart has a sentence and a table twin; nobody needs to see colours to read it. */
export function ChartFrame({ title, summary, columns, rows, onOpen, apiPath, children }: ChartFrameProps) {
  const world = useSampleWorld()
  const [asTable, setAsTable] = useState(false)
  return (
    <figure className="chart-figure">
      <figcaption className="chart-caption">
        <span>
          <strong>{title}</strong> <span className="muted small">{summary}</span>
        </span>
        <span className="chart-acts">
          <CopyButton text={getSamples(world, apiPath).curl ?? ''} label="Copy API call" />
          <Button kind="quiet" aria-pressed={asTable} onClick={() => setAsTable(!asTable)}>
            View as {asTable ? 'chart' : 'table'}
          </Button>
        </span>
      </figcaption>
      {asTable ? <TwinTable {...{ title, columns, rows, onOpen }} /> : children}
    </figure>
  )
}

/** The width of a chart follows its box; text in it keeps its size. */
export function useWidth<E extends Element>(initial = 640) {
  const element = useRef<E>(null)
  const [width, setWidth] = useState(initial)
  useEffect(() => {
    if (!element.current) return
    const observer = new ResizeObserver(([entry]) => setWidth(Math.max(120, entry?.contentRect.width ?? initial)))
    observer.observe(element.current)
    return () => observer.disconnect()
  }, [initial])
  return [element, width] as const
}

/** Arrow keys walk along the points of a chart; what the pointer shows, the keyboard shows too. */
export function useChartCursor(count: number, onOpen?: ((index: number) => void) | undefined) {
  const [active, setActive] = useState<number | null>(null)
  function onKeyDown(event: KeyboardEvent): void {
    const at = active ?? count
    const next = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: count - 1 }[event.key]
    if (next !== undefined) {
      event.preventDefault()
      setActive(Math.max(0, Math.min(count - 1, next)))
    }
    if (event.key === 'Enter' && active !== null) onOpen?.(active)
  }
  return { active, setActive, onKeyDown, onBlur: () => setActive(null), onPointerLeave: () => setActive(null) }
}
