import { useEffect, useState } from 'react'

const prefix = 'postern.draft.'

/**
 * What a person has written and not sent or saved. It stays in this tab through leaving the page, reloading and signing
 * in again, belongs to the person who wrote it, and goes when they sign out.
 */
export function useKeptDraft<T>(userId: string, name: string, start: T): [T, (next: T | null) => void] {
  const entry = `${prefix}${userId}.${name}`
  const [draft, setDraft] = useState<T>(() => read<T>(entry) ?? start)
  const keep = (next: T | null) => {
    setDraft(next ?? start)
    try {
      if (next === null) sessionStorage.removeItem(entry)
      else sessionStorage.setItem(entry, JSON.stringify(next))
    } catch {
      // Storage is blocked or full: the draft lasts as long as the page.
    }
  }
  return [draft, keep]
}

/** What this person keeps in this tab under names that begin so, by the rest of the name. */
export function keptDrafts<T>(userId: string, start: string): ReadonlyMap<string, T> {
  const entries = `${prefix}${userId}.${start}`
  const found = new Map<string, T>()
  try {
    for (const entry of Object.keys(sessionStorage).filter((name) => name.startsWith(entries))) {
      const draft = read<T>(entry)
      if (draft !== null) found.set(entry.slice(entries.length), draft)
    }
  } catch {
    // Nothing is kept.
  }
  return found
}

/** Beside the texts: no storage of the browser takes a file, so it lasts as long as the page. */
const files = new Map<string, File>()

/** A file that was chosen and not sent. With `only` it is let go of if it is still that one. */
export function useKeptFile(userId: string, name: string): [File | null, (next: File | null, only?: File) => void] {
  const entry = `${prefix}${userId}.${name}`
  const [file, setFile] = useState(() => files.get(entry) ?? null)
  const keep = (next: File | null, only?: File) => {
    if (only && files.get(entry) !== only) return
    setFile(next)
    if (next) files.set(entry, next)
    else files.delete(entry)
  }
  return [file, keep]
}

/** The browser asks before it closes or reloads a page whose work is not saved. */
export function useWarnBeforeUnload(isUnsaved: boolean): void {
  useEffect(() => {
    if (!isUnsaved) return
    const warn = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', warn)
    return () => window.removeEventListener('beforeunload', warn)
  }, [isUnsaved])
}

export function forgetDrafts(): void {
  forget(() => true)
}

/** What anybody who used this tab began to write to a customer, by their numbers and ids. */
export function forgetDraftsTo(customers: readonly string[]): void {
  forget((entry) => customers.some((customer) => entry.endsWith(`.${customer}`)))
}

function forget(isGone: (entry: string) => boolean): void {
  for (const entry of files.keys()) if (isGone(entry)) files.delete(entry)
  try {
    const entries = Object.keys(sessionStorage).filter((name) => name.startsWith(prefix))
    for (const entry of entries.filter(isGone)) sessionStorage.removeItem(entry)
  } catch {
    // Nothing was kept.
  }
}

function read<T>(entry: string): T | null {
  try {
    const kept = sessionStorage.getItem(entry)
    return kept === null ? null : (JSON.parse(kept) as T)
  } catch {
    return null
  }
}
