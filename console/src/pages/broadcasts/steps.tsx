const steps = [
  { id: 'template', title: 'Template' },
  { id: 'file', title: 'Recipients' },
  { id: 'review', title: 'Review' },
  { id: 'start', title: 'Start' },
] as const

export type Step = (typeof steps)[number]['id']

/** Where one is on the way from a template to the start. */
export function Steps({ current }: { current: Step }) {
  const at = steps.findIndex(({ id }) => id === current)
  return (
    <ol className="broadcast-steps" aria-label="Steps">
      {steps.map(({ id, title }, index) => (
        <li key={id} className="broadcast-step" data-done={index < at} aria-current={index === at ? 'step' : undefined}>
          <span className="broadcast-step-number">{index + 1}</span> {title}
        </li>
      ))}
    </ol>
  )
}
