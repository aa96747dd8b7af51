/** Text as a literal of each language, so that nothing in it is ever run or lost. */

/** Single quotes keep everything as it is; one inside is closed, escaped and opened again. */
export function inShell(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}

export function inJavaScript(text: string): string {
  return `'${text.replace(/[\\']/g, '\\$&')}'`
}

export function inPython(text: string): string {
  return JSON.stringify(text)
}

export function inPhp(text: string): string {
  return `'${text.replace(/[\\']/g, '\\$&')}'`
}

/** A raw string takes the backslashes of JSON as they are; the quote that would end it is written as JSON can. */
export function jsonForPython(json: string): string {
  return `r'''${json.replaceAll("'", '\\u0027')}'''`
}
