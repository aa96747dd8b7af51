import type { Draft } from './template-draft.ts'

export type FormProps = {
  draft: Draft
  onChange: (change: Partial<Draft>) => void
  /** What is wrong with a part that holds this value. */
  errorOf: (part: string, value: string) => string | undefined
}

/** As the platform counts: characters, not bytes. */
export function Length({ text, max }: { text: string; max: number }) {
  return (
    <>
      {Array.from(text).length} of {max} characters
    </>
  )
}
