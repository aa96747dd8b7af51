const day = '(?:0[1-9]|1[0-9]|2[0-8])'
const anyMonth = '(?:0[1-9]|1[0-2])'
const leapYear = '(?:[0-9]{2}(?:0[48]|[2468][048]|[13579][26])|(?:[02468][048]|[13579][26])00)'

const date = [
  `[0-9]{4}-${anyMonth}-${day}`,
  '[0-9]{4}-(?:0[13-9]|1[0-2])-(?:29|30)',
  '[0-9]{4}-(?:0[13578]|1[02])-31',
  `${leapYear}-02-29`,
].join('|')

const minutes = '(?:[01][0-9]|2[0-3]):[0-5][0-9]'

/**
 * A time as callers may write it: RFC 3339 with any offset and up to nine decimals, or a bare date. It takes exactly what
 * lib/instant.ts can read, days that do not exist left out, so that the document says the whole rule.
 */
export const momentPattern = `^(?:${date})(?:[Tt]${minutes}:[0-5][0-9](?:\\.[0-9]{1,9})?(?:[Zz]|[+-]${minutes}))?$`
