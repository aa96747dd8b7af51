/** Rows as RFC 4180 says, in a form no spreadsheet takes for a formula. */
export function toCsv(rows: readonly (readonly (string | number | null)[])[]): string {
  return rows.map((row) => `${row.map(cell).join(',')}\r\n`).join('')
}

function cell(value: string | number | null): string {
  if (value === null) return ''
  if (typeof value === 'number') return `${value}`
  // Spreadsheets run what begins with one of these, also behind what separates cells in other countries; template names and
  // the like come from others. The gateway's own exports do the same.
  const text = value.replace(/^(?=[=+\-@\t\r\n＝＋－＠])|(?<=[;|\t\r\n])(?=[=+\-@＝＋－＠])/g, "'")
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
