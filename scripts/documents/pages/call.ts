/** One call of the API with example values, for samples. */
export type Call = {
  operationId: string
  method: string
  /** With example values instead of parameters. */
  path: string
  pathValues: string[]
  body: unknown
  /** The fields of a form, when the body is one. */
  form: boolean
  /** `none` for the call that gets the token. */
  auth: 'token' | 'none'
}
