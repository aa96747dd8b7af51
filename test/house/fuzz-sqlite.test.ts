import { fuzzApi } from '../support/openapi/fuzz-api.ts'

fuzzApi('sqlite')
