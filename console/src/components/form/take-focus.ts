/** As `ref` of a field: it takes the focus when it appears, where writing into it is all there is to do. */
export function takeFocus(input: HTMLInputElement | null): void {
  input?.focus()
}
