import { createReadStream, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'

/** Where the bytes of media live: beside the state file, or in a temporary folder that goes with the sandbox. */
export class MediaFiles {
  readonly folder: string
  readonly #temporary: boolean

  constructor(folder: string | null) {
    this.#temporary = folder === null
    this.folder = folder ?? mkdtempSync(join(tmpdir(), 'sandbox-media-'))
    mkdirSync(this.folder, { recursive: true })
  }

  path(id: string): string {
    return join(this.folder, `${id}.bin`)
  }

  /** Where bytes are written before `keep`: a backup made meanwhile never holds half a file. */
  partPath(id: string): string {
    return `${this.path(id)}.part`
  }

  keep(id: string): void {
    renameSync(this.partPath(id), this.path(id))
  }

  write(id: string, bytes: Buffer): void {
    writeFileSync(this.partPath(id), bytes)
    this.keep(id)
  }

  read(id: string): Readable {
    return createReadStream(this.path(id))
  }

  remove(id: string): void {
    rmSync(this.partPath(id), { force: true })
    rmSync(this.path(id), { force: true })
  }

  clear(): void {
    rmSync(this.folder, { recursive: true, force: true })
    mkdirSync(this.folder, { recursive: true })
  }

  close(): void {
    if (this.#temporary) rmSync(this.folder, { recursive: true, force: true })
  }
}
