import type { ButtonHTMLAttributes, ReactNode } from 'react'
import { Link } from 'wouter'
import { Icon, type IconName } from '../icon.tsx'

type Looks = { kind?: 'primary' | 'plain' | 'quiet' | 'danger'; icon?: IconName }
type ButtonProps = Looks & {
  children?: ReactNode
  /** For a button that shows only its icon. */
  label?: string
  /** Work is under way: the button stays readable and takes no second press. */
  busy?: boolean
} & Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'children'>

export function Button({ kind = 'plain', icon, label, busy = false, children, onClick, ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      className="button"
      data-kind={kind}
      data-icon-only={children === undefined}
      aria-label={label}
      title={label}
      aria-disabled={busy || undefined}
      onClick={busy ? (event) => event.preventDefault() : onClick}
      {...rest}
    >
      {icon && <Icon name={icon} size={16} />}
      {children}
    </button>
  )
}

/** Looks like a button, goes somewhere. */
export function ButtonLink({ to, kind = 'plain', icon, children }: Looks & { to: string; children: ReactNode }) {
  return (
    <Link to={to} className="button" data-kind={kind}>
      {icon && <Icon name={icon} size={16} />}
      {children}
    </Link>
  )
}
