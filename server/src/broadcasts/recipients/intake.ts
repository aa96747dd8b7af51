import { AppError, validationFailed } from '../../contract/app-error.ts'
import { minuteMs, secondMs } from '../../lib/durations.ts'
import { countryOf } from '../../lib/phone.ts'
import type { Runtime } from '../../runtime.ts'
import { acceptRecipients, type BroadcastRow, leaseUpload } from '../../store/broadcasts/broadcasts.ts'
import { type GroupRow, insertGroup, insertRecipients, type RecipientRow } from '../../store/broadcasts/recipients.ts'
import { dropGroups, dropUploads, insertProblems, saveUpload, type UploadRow } from '../../store/broadcasts/uploads.ts'
import { Unit, unitOf } from '../../store/engine/unit.ts'
import type { TemplateContent } from '../../templates/content/template-types.ts'
import type { AddressSet } from './address-set.ts'
import { createRowCheck, type LineProblem, type Pattern } from './check-row.ts'
import type { RowSource, UploadedRow } from './read-rows.ts'

export type UploadOptions = { dryRun: boolean; replace: boolean }
export type Upload = { broadcast: BroadcastRow; template: TemplateContent; pattern: Pattern; source: RowSource }

export const uploadLeaseMs = minuteMs
const renewMs = 20 * secondMs
/** Group numbers that an upload may use. */
export const groupsMax = 10_000
const batch = 500
const problemsOfPage = 1_000
const problemsShown = 100

type Place = { receiving: UploadRow | null; addresses: AddressSet; room: number }
type Group = { no: number; country: string | null; zone: string | null; size: number }

/** Takes lines as they come: checks, stores and counts them. */
export class Intake {
  readonly #rt: Runtime
  readonly #upload: Upload
  readonly #place: Place
  readonly #check: (row: UploadedRow) => { address: string; key: string } | LineProblem
  readonly #groups = new Map<string, Group>()
  readonly #shown: LineProblem[] = []
  readonly #counts = { lines: 0, accepted: 0, invalid: 0, duplicates: 0 }
  #rows: RecipientRow[] = []
  #problems: LineProblem[] = []
  #pages = 0
  #renewedAt: number

  constructor(rt: Runtime, upload: Upload, place: Place) {
    this.#rt = rt
    this.#upload = upload
    this.#place = place
    this.#check = createRowCheck(upload.template, upload.pattern, upload.source.columns)
    this.#renewedAt = rt.clock.now()
  }

  async take(rows: readonly UploadedRow[]): Promise<void> {
    if (this.#counts.lines === 0 && rows.length > 0) this.#requireColumns(rows)
    for (const row of rows) {
      this.#counts.lines++
      this.#takeRow(row)
      if (this.#rows.length >= batch) await this.#write()
    }
    if (this.#problems.length >= problemsOfPage) await this.#writeProblems()
  }

  #takeRow(row: UploadedRow): void {
    const checked = this.#check(row)
    if (!('address' in checked)) {
      this.#counts.invalid++
      this.#note(checked)
      return
    }
    // The key is one for all ways to write a number.
    if (!this.#place.addresses.add(checked.key)) {
      this.#counts.duplicates++
      this.#note({ line: row.line, column: 'to', code: 'duplicate', message: 'This recipient is already in the list.' })
      return
    }
    if (++this.#counts.accepted > this.#place.room) throw tooLarge(this.#place.room)
    const group = this.#groupOf(checked.address, row.zone.trim() || null)
    group.size++
    if (!this.#place.receiving) return
    this.#rows.push({
      broadcast_id: this.#upload.broadcast.id,
      group_no: group.no,
      place: group.size,
      line: row.line,
      address: checked.address,
      cells: JSON.stringify(row.cells),
      client_reference: row.reference.trim() || null,
    })
  }

  #note(problem: LineProblem): void {
    if (this.#shown.length < problemsShown) this.#shown.push(problem)
    if (this.#place.receiving) this.#problems.push(problem)
  }

  #groupOf(address: string, zone: string | null): Group {
    const country = countryOf(address)
    const key = `${country} ${zone}`
    const known = this.#groups.get(key)
    if (known) return known
    if (this.#groups.size >= groupsMax) throw new AppError('validation_failed', 'The file has too many time zones.')
    const no = (this.#place.receiving?.first_group ?? 0) + this.#groups.size
    const group: Group = { no, country, zone, size: 0 }
    this.#groups.set(key, group)
    return group
  }

  /** A column that the pattern needs and the file does not have is a mistake in the file, not in each of its lines. */
  #requireColumns(rows: readonly UploadedRow[]): void {
    const { columns } = this.#upload.source
    if (columns.length === 0 && rows.every(({ unreadable }) => unreadable !== undefined)) return
    const missing = this.#upload.pattern.columns.find(({ name, optional }) => !optional && !columns.includes(name))
    if (!missing) return
    const has = columns.length === 0 ? 'It has no values.' : `It has: ${columns.join(', ').slice(0, 300)}.`
    const message = `The template needs the column '${missing.name}', which the recipients lack. ${has}`
    throw validationFailed([{ field: missing.name, location: 'body', code: 'required', message }])
  }

  async #write(): Promise<void> {
    const { receiving } = this.#place
    if (!receiving || this.#rows.length === 0) return
    const rows = this.#rows
    this.#rows = []
    await this.#rt.store.writeApart(unitOf(insertRecipients, ...rows))
    const now = this.#rt.clock.now()
    if (now - this.#renewedAt < renewMs) return
    this.#renewedAt = now
    const unit = unitOf(saveUpload, { ...receiving, ...this.#counts, lease_until: now + uploadLeaseMs })
    unit.add(leaseUpload, { id: receiving.broadcast_id, until: now + uploadLeaseMs })
    await this.#rt.store.write(unit)
  }

  async #writeProblems(): Promise<void> {
    const { receiving } = this.#place
    while (receiving && this.#problems.length > 0) {
      const problems = JSON.stringify(this.#problems.splice(0, problemsOfPage))
      await this.#rt.store.writeApart(
        unitOf(insertProblems, { upload_id: receiving.id, page: this.#pages++, problems }),
      )
    }
  }

  async finish({ replace }: UploadOptions) {
    const { receiving } = this.#place
    const { columns } = this.#upload.source
    if (this.#counts.lines === 0) throw new AppError('validation_failed', 'There are no recipients in this upload.')
    if (receiving) {
      await this.#write()
      await this.#writeProblems()
      await this.#rt.store.write(this.#lastUnit(receiving, replace))
    }
    const { lines, accepted, invalid, duplicates } = this.#counts
    return {
      upload_id: receiving?.id ?? null,
      rows: lines,
      accepted,
      invalid,
      duplicates,
      columns: columns.filter((name) => name !== ''),
      countries: countriesOf(this.#groups.values()),
      problems: this.#shown,
      problems_total: invalid + duplicates,
    }
  }

  #lastUnit(receiving: UploadRow, replace: boolean): Unit {
    const { id, first_group } = receiving
    const broadcast_id = receiving.broadcast_id
    const unit = new Unit()
    const replaces = replace ? 1 : 0
    unit.add(acceptRecipients, {
      id: broadcast_id,
      accepted: this.#counts.accepted,
      replaces,
      now: this.#rt.clock.now(),
    })
    const columns = JSON.stringify(this.#upload.source.columns)
    unit.add(saveUpload, { ...receiving, ...this.#counts, state: 'complete', lease_until: null, columns })
    if (replace) {
      unit.add(dropUploads, { broadcast_id, before_group: first_group })
      unit.add(dropGroups, { broadcast_id, before_group: first_group })
    }
    const groups = [...this.#groups.values()].map(
      ({ no, country, zone, size }): GroupRow => ({
        broadcast_id,
        group_no: no,
        upload_id: id,
        country,
        zone,
        size,
        taken: 0,
        due_at: 0,
        done: 0,
      }),
    )
    if (groups.length > 0) unit.add(insertGroup, ...groups)
    return unit
  }
}

/** Recipients per country, largest first; null if the number doesn't show its country. */
export function countriesOf(groups: Iterable<{ country: string | null; size: number }>) {
  const counts = new Map<string | null, number>()
  for (const { country, size } of groups) counts.set(country, (counts.get(country) ?? 0) + size)
  return [...counts].map(([country, count]) => ({ country, count })).sort((a, b) => b.count - a.count)
}

function tooLarge(room: number): AppError {
  const sentence = `This upload exceeds the remaining number of recipients: ${Math.max(0, room).toLocaleString('en')}.`
  return new AppError('broadcast_too_large', `${sentence} Nothing was added.`)
}
