/** One thing that was looked at. What is wrong says how to fix it. */
export type Finding = { check: string; status: 'ok' | 'warning' | 'problem'; detail: string }

export const found = (check: string, detail: string): Finding => ({ check, status: 'ok', detail })
export const warning = (check: string, detail: string): Finding => ({ check, status: 'warning', detail })
export const problem = (check: string, detail: string): Finding => ({ check, status: 'problem', detail })
