import { useEffect, useState } from 'react'

const restMs = 200

/** The value once it has not changed for a moment: a question per pause, not per key. */
export function useSettled<T>(value: T): T {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), restMs)
    return () => clearTimeout(timer)
  }, [value])
  return settled
}
