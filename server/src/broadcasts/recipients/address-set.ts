/**
 * The addresses of a broadcast. A phone number has at most 15 digits and fits a float: a million of them take 16 MB, where a
 * set of texts takes a hundred.
 */
export class AddressSet {
  #slots = new Float64Array(1_024)
  #count = 0
  readonly #others = new Set<string>()

  /** False where it is in there already. */
  add(address: string): boolean {
    if (!/^\+[1-9]\d{0,14}$/.test(address)) {
      const before = this.#others.size
      return this.#others.add(address).size > before
    }
    if (!insert(this.#slots, Number(address.slice(1)))) return false
    this.#count++
    if (this.#count * 2 > this.#slots.length) this.#grow()
    return true
  }

  #grow(): void {
    const larger = new Float64Array(this.#slots.length * 2)
    for (const number of this.#slots) if (number !== 0) insert(larger, number)
    this.#slots = larger
  }
}

/** Open addressing; 0 is an empty slot. */
function insert(slots: Float64Array, number: number): boolean {
  const mask = slots.length - 1
  for (let at = hashOf(number) & mask; ; at = (at + 1) & mask) {
    if (slots[at] === number) return false
    if (slots[at] !== 0) continue
    slots[at] = number
    return true
  }
}

function hashOf(number: number): number {
  const low = number % 4_294_967_296
  const high = (number - low) / 4_294_967_296
  return Math.imul(low ^ Math.imul(high, 0x85ebca6b), 0x9e3779b1) >>> 8
}
