import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Customer, PhoneNumber, World } from './world.ts'

const DEBOUNCE_MS = 500
const FORMAT = 1

/** Keeps the world in a file: written aside and renamed, at most twice a second, and once more at the end. */
export class StateFile {
  readonly #path: string | null
  readonly #world: World
  #timer: NodeJS.Timeout | undefined

  constructor(path: string | null, world: World) {
    this.#path = path
    this.#world = world
  }

  /** Fills the world from the file; false when there is none yet. */
  load(): boolean {
    if (this.#path === null) return false
    let source: string
    try {
      source = readFileSync(this.#path, 'utf8')
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return false
      throw error
    }
    restore(this.#world, JSON.parse(source) as Saved)
    return true
  }

  changed(): void {
    if (this.#path === null || this.#timer !== undefined) return
    this.#timer = setTimeout(() => this.#tryToWrite(), DEBOUNCE_MS)
  }

  close(): void {
    if (this.#timer !== undefined) this.#write()
  }

  /** A disk that is full or fails must not end the process; the next try writes everything again. */
  #tryToWrite(): void {
    try {
      this.#write()
    } catch {
      this.changed()
    }
  }

  #write(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    if (this.#path === null) return
    mkdirSync(dirname(this.#path), { recursive: true })
    const beside = `${this.#path}.tmp`
    // It holds access tokens, even if only of a simulation: readable by the owner alone.
    writeFileSync(beside, JSON.stringify(save(this.#world)), { mode: 0o600 })
    renameSync(beside, this.#path)
  }
}

type Entries<T> = [string, T][]
type SavedNumber = Omit<PhoneNumber, 'customers'> & { customers: Entries<Customer> }
type Saved = { format: number; numbers: SavedNumber[] } & {
  [Part in Exclude<keyof World, 'numbers'>]: World[Part] extends Map<string, infer Item> ? Entries<Item> : never
}

function save(world: World): Saved {
  return {
    format: FORMAT,
    apps: [...world.apps],
    tokens: [...world.tokens],
    wabas: [...world.wabas],
    numbers: [...world.numbers.values()].map((number) => ({ ...number, customers: [...number.customers] })),
    templates: [...world.templates],
    media: [...world.media],
  }
}

function restore(world: World, saved: Saved): void {
  if (saved.format !== FORMAT) throw new Error(`the sandbox's state file has format ${saved.format}, not ${FORMAT}`)
  for (const [key, app] of saved.apps) world.apps.set(key, app)
  for (const [key, token] of saved.tokens) world.tokens.set(key, token)
  for (const [key, waba] of saved.wabas) world.wabas.set(key, waba)
  for (const number of saved.numbers) world.numbers.set(number.id, { ...number, customers: new Map(number.customers) })
  for (const [key, template] of saved.templates) world.templates.set(key, template)
  for (const [key, media] of saved.media) world.media.set(key, media)
}
