/** Which customer of which business number. */
export type Place = { numberId: string; customer: string }
