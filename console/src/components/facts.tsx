import { Fragment, type ReactNode } from 'react'

export type Fact = readonly [name: string, value: ReactNode]

/** Names and values; what has no value is not mentioned. */
export function Facts({ rows, className = '' }: { rows: readonly Fact[]; className?: string }) {
  return (
    <dl className={`facts ${className}`}>
      {rows
        .filter(([, value]) => value !== null && value !== undefined && value !== '' && value !== false)
        .map(([name, value]) => (
          <Fragment key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </Fragment>
        ))}
    </dl>
  )
}
