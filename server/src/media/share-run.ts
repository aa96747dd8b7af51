const runs = new WeakMap<object, Map<string, Promise<unknown>>>()

/** Everyone who asks for the same thing while it is under way waits for the one who asked first. */
export async function shareRun<T>({ store }: { store: object }, key: string, work: () => Promise<T>): Promise<T> {
  const underWay = runs.get(store) ?? new Map<string, Promise<unknown>>()
  runs.set(store, underWay)
  const first = underWay.get(key)
  if (first) return first as Promise<T>
  const run = work().finally(() => underWay.delete(key))
  underWay.set(key, run)
  return run
}
