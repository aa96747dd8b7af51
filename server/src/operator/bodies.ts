/** JSON that people write, read and checked as the gateway does with a body. */
export { JsonProblem, parseStrictJson } from '../http/edge/body/json-parser.ts'
export { requireBody } from '../http/edge/body/validation.ts'
