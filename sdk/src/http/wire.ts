import type { components, operations } from '../types.ts'
import type { Camel } from './case.ts'

/** The schemas of the API document, with the names of the wire. */
export type Schemas = components['schemas']

/** What the gateway answers, in the names of the SDK. */
export type Answer<Name extends keyof Schemas> = Open<Camel<Schemas[Name]>>

/** The data an operation answers with, in the names of the SDK. */
export type Data<Operation extends keyof operations> = Open<Camel<DataOf<operations[Operation]['responses']>>>

type DataOf<Responses> = {
  [Status in keyof Responses]: Responses[Status] extends Envelope<infer D> ? D : never
}[keyof Responses]
type Envelope<D> = { content: { 'application/json': { success: true; data: D } } }

/** What the gateway takes, in the names of the SDK. */
export type Input<Name extends keyof Schemas> = Lenient<Camel<Schemas[Name]>>

/** The query of an operation, in the names of the SDK. */
export type Filters<Operation extends keyof operations> = Lenient<Camel<QueryOf<operations[Operation]>>>

type QueryOf<Operation> = Operation extends { parameters: { query?: infer Query } } ? NonNullable<Query> : never

/** A moment, in requests: ISO 8601 text or a date. */
export type Moment = string | Date

/**
 * An answer of a gateway that may be newer than this SDK: where one of several words is expected, another can come.
 * A single word is a constant. Alternatives that are told apart by such a word stay closed, or nothing could tell them
 * apart.
 */
export type Open<T> =
  true extends IsUnion<Extract<T, object>> ? T : OpenEach<T> | (true extends IsUnion<Extract<T, string>> ? Word : never)

/** Any text; unlike `string` it leaves the words beside it to editors as suggestions. */
export type Word = string & {}

type OpenEach<T> = T extends readonly (infer Item)[]
  ? Open<Item>[]
  : T extends object
    ? string extends keyof T
      ? T
      : { [Name in keyof T]: Open<T[Name]> }
    : T

type IsUnion<T, Whole = T> = T extends unknown ? ([Whole] extends [T] ? false : true) : never

/** Requests are only read, so arrays that cannot be changed are as good as others. */
type Lenient<T> = T extends readonly (infer Item)[]
  ? readonly Lenient<Item>[]
  : T extends object
    ? { [Name in keyof T]: Lenient<T[Name]> }
    : T
