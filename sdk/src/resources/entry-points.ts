import type { ApiPromise } from '../http/api-promise.ts'
import type { RequestOptions } from '../http/call.ts'
import { path } from '../http/path.ts'
import type { Transport } from '../http/request.ts'
import type { Answer, Filters, Input } from '../http/wire.ts'

/** A short link that opens a conversation, and its QR code. */
export type Link = Answer<'Link'>

/** Which of your numbers. */
export type LinkFilters = Filters<'listLinks'>

/** Short links and QR codes of a number. */
export class Links {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /** The short links as Meta has them now. */
  list(filters: LinkFilters = {}, options?: RequestOptions): ApiPromise<Answer<'LinkList'>> {
    return this.#transport.send({ method: 'GET', path: '/v1/chat/links', query: { ...filters } }, options)
  }

  /** Creates a short link. Not safe to repeat: list the links first. */
  create(request: Input<'LinkRequest'>, options?: RequestOptions): ApiPromise<Link> {
    return this.#transport.send({ method: 'POST', path: '/v1/chat/links', body: request }, options)
  }

  /** Gives a short link another message. */
  update(linkId: string, request: Input<'LinkRequest'>, options?: RequestOptions): ApiPromise<Link> {
    return this.#transport.send({ method: 'PUT', path: path`/v1/chat/links/${linkId}`, body: request }, options)
  }

  /** Deletes a short link: its address and QR code stop working. */
  delete(linkId: string, filters: LinkFilters = {}, options?: RequestOptions): ApiPromise<Answer<'LinkDeleted'>> {
    const query = { ...filters }
    return this.#transport.send({ method: 'DELETE', path: path`/v1/chat/links/${linkId}`, query }, options)
  }
}

/** Ice breakers and commands of a number. */
export type Automation = Answer<'Automation'>

/** Ice breakers, which a first chat offers, and commands, which follow a slash. */
export class Automations {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /** As Meta has them now. */
  get(filters: Filters<'getAutomation'> = {}, options?: RequestOptions): ApiPromise<Automation> {
    return this.#transport.send({ method: 'GET', path: '/v1/chat/automation', query: { ...filters } }, options)
  }

  /** Replaces the lists that are given. */
  set(change: Input<'AutomationChange'>, options?: RequestOptions): ApiPromise<Automation> {
    return this.#transport.send({ method: 'PUT', path: '/v1/chat/automation', body: change }, options)
  }
}

/** Words with which customers stop marketing messages, or allow them again. */
export class Keywords {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /** The words of a number; empty lists while the setting is off. */
  get(filters: Filters<'getKeywords'> = {}, options?: RequestOptions): ApiPromise<Answer<'Keywords'>> {
    return this.#transport.send({ method: 'GET', path: '/v1/chat/keywords', query: { ...filters } }, options)
  }

  /** Sets the lists that are given; an empty one turns its words off. */
  set(change: Input<'KeywordsChange'>, options?: RequestOptions): ApiPromise<Answer<'Keywords'>> {
    return this.#transport.send({ method: 'PUT', path: '/v1/chat/keywords', body: change }, options)
  }
}
