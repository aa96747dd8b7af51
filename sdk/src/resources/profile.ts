import type { ApiPromise } from '../http/api-promise.ts'
import type { RequestOptions } from '../http/call.ts'
import type { Transport } from '../http/request.ts'
import type { Answer, Filters, Input } from '../http/wire.ts'

/** What customers see about a number. */
export interface BusinessProfile extends Answer<'BusinessProfile'> {
  /** Address at Meta; it expires after some days. */
  photoUrl: string | null
}

/** Which of your numbers. */
export type ProfileFilters = Filters<'getProfile'>

/** Fields to change. An empty text, or an empty list of websites, removes what was there. */
export type BusinessProfileChanges = Input<'BusinessProfileChanges'>

/** The business profile of a number: about, address, description, email, category, websites and photo. */
export class Profile {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /** The profile as Meta has it now. */
  get(filters: ProfileFilters = {}, options?: RequestOptions): ApiPromise<BusinessProfile> {
    return this.#transport.send({ method: 'GET', path: '/v1/chat/profile', query: { ...filters } }, options)
  }

  /** Changes the given fields and leaves the others. */
  update(changes: BusinessProfileChanges, options?: RequestOptions): ApiPromise<BusinessProfile> {
    return this.#transport.send({ method: 'PUT', path: '/v1/chat/profile', body: changes }, options)
  }
}
