import { createHash } from 'node:crypto'
import { AppError } from '../contract/app-error.ts'
import type { Runtime } from '../runtime.ts'
import type { BlobAt, BlobWriter } from './blobs/blob.ts'
import { blobStoreAt } from './blobs/blob-store.ts'
import { announceBlob, discardBlob } from './blobs/loose-blobs.ts'
import { type Inspection, inspectContent } from './types/inspect-content.ts'
import { fileBytesMax, sizeText } from './types/media-kinds.ts'
import { headBytes } from './types/sniff-media.ts'

/** What a file turned out to be. */
export type Verdict = { kind: string; mimeType: string; bytesMax: number }

/** Bytes that are safe on disk and wait for a file to claim them; `discardBlob` when none does. */
export type Staged = BlobAt & { accountId: string; kind: string; mimeType: string; size: number; sha256: string }

export type Intake = {
  /** Takes the next bytes; rejects as soon as the file cannot be accepted. */
  write(chunk: Uint8Array): Promise<void>
  finish(): Promise<Staged>
  /** Leaves nothing behind. */
  discard(): Promise<void>
}

/**
 * The one way bytes come in: from an upload, from a link, from the platform. They are judged by their first 16 KB,
 * counted and hashed on their way, and never held in memory. A file that is refused by its first bytes touches no disk.
 */
export function createIntake(
  rt: Runtime,
  accountId: string,
  judge: (head: Uint8Array) => Promise<Verdict>,
  { inspect = true }: { inspect?: boolean } = {},
): Intake {
  const hash = createHash('sha256')
  const head: Uint8Array[] = []
  let size = 0
  let opened: Opened | null = null

  return {
    async write(chunk) {
      size += chunk.length
      if (opened) return take(opened, chunk)
      head.push(chunk)
      if (size >= headBytes) await begin()
    },
    async finish() {
      const { blob, verdict, writer, inspection } = opened ?? (await begin())
      inspection?.end()
      const sha256 = hash.digest('hex')
      await writer.finish(sha256)
      const { kind, mimeType } = verdict
      return { ...blob, accountId, kind, mimeType, size, sha256 }
    },
    async discard() {
      if (!opened) return
      await opened.writer.abandon().catch(() => {})
      await discardBlob(rt, opened.blob)
    },
  }

  async function begin(): Promise<Opened> {
    const bytes = Buffer.concat(head)
    const verdict = await judge(bytes)
    if (size > verdict.bytesMax) throw tooLarge(verdict)
    const blob = await announceBlob(rt, accountId)
    const writer = await blobStoreAt(rt, blob.place).create(blob.blobId)
    opened = { blob, verdict, writer, inspection: inspect ? inspectContent(verdict.mimeType) : null }
    head.length = 0
    await take(opened, bytes)
    return opened
  }

  async function take({ verdict, writer, inspection }: Opened, chunk: Uint8Array): Promise<void> {
    if (size > verdict.bytesMax) throw tooLarge(verdict)
    inspection?.take(chunk)
    hash.update(chunk)
    await writer.write(chunk)
  }
}

type Opened = { blob: BlobAt; verdict: Verdict; writer: BlobWriter; inspection: Inspection | null }

export function tooLarge({ kind, bytesMax }: Pick<Verdict, 'kind' | 'bytesMax'>): AppError {
  const what = bytesMax === fileBytesMax ? 'A file' : `A file of type ${kind}`
  return new AppError('media_too_large', `${what} can have at most ${sizeText(bytesMax)}.`)
}
