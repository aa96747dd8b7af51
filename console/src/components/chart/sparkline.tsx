import { toPath, type Value } from './chart-path.ts'

type SparklineProps = { values: readonly Value[]; label: string; kind: 'count' | 'rate'; tone?: 'error' | undefined }

const width = 100
const height = 32

/** The shape of a number over time, beside the number itself; the label says it in words. Counts are bars from 0. */
export function Sparkline({ values, label, kind, tone }: SparklineProps) {
  return (
    <svg
      className="sparkline"
      data-tone={tone}
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
    >
      <line className="sparkline-floor" x1="0" x2={width} y1={height - 0.5} y2={height - 0.5} />
      {kind === 'count' ? <Bars values={values} /> : <Line values={values} />}
    </svg>
  )
}

function Bars({ values }: { values: readonly Value[] }) {
  const max = Math.max(1, ...values.map((value) => value ?? 0))
  const step = width / Math.max(1, values.length)
  return values.map((value, index) => {
    const tall = ((value ?? 0) / max) * (height - 2)
    return (
      // biome-ignore lint/suspicious/noArrayIndexKey: an hour has no other name here
      <rect key={index} x={index * step + step * 0.15} y={height - 1 - tall} width={step * 0.7} height={tall} />
    )
  })
}

/** From 0 to all; an hour without messages is a gap. */
function Line({ values }: { values: readonly Value[] }) {
  const step = width / Math.max(1, values.length - 1)
  const d = toPath(
    values,
    (index) => index * step,
    (value) => height - 3 - value * (height - 6),
  )
  return <path d={d} />
}
