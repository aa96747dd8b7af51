import Type from 'typebox'
import { authorOf } from '../../access/console-member.ts'
import { RateCard, RateCards, RateCheck, RateImport } from '../../contract/costs/costs.ts'
import { answer, ok } from '../../contract/envelope.ts'
import { object, ref } from '../../contract/schema.ts'
import { checkFile, importRates, listRates, removeRates } from '../../costs/rate-cards.ts'
import type { Runtime } from '../../runtime.ts'
import { type App, routesOf } from '../edge/context.ts'
import { memberOf } from './console-access.ts'

const route = routesOf('Rate cards')

export function addRateRoutes(app: App, rt: Runtime): void {
  app.get(
    '/console/api/rates',
    route({
      config: { console: 'costs:read' },
      operationId: 'listRates',
      summary: 'The rate cards in use, or with those that were replaced or removed',
      querystring: object({ history: Type.Optional(Type.Boolean()) }),
      response: { 200: answer(ref(RateCards)) },
    }),
    async (request) => {
      const { accountId } = memberOf(request)
      return ok(await listRates(rt, accountId, { history: request.query.history ?? false }))
    },
  )

  app.post(
    '/console/api/rates/check',
    route({
      config: { console: 'rates:write' },
      operationId: 'checkRates',
      summary: 'Preview a rate card file with all its errors; nothing is stored',
      body: ref(RateImport),
      response: { 200: answer(ref(RateCheck)) },
    }),
    async (request) => ok(checkFile(request.body)),
  )

  app.post(
    '/console/api/rates',
    route({
      config: { console: 'rates:write' },
      operationId: 'importRates',
      summary: 'Import a rate card; one of the same currency and first day is replaced',
      body: ref(RateImport),
      response: { 200: answer(ref(RateCard)) },
    }),
    async (request) => {
      const member = memberOf(request)
      return ok(await importRates(rt, member.accountId, request.body, authorOf(member)))
    },
  )

  app.delete(
    '/console/api/rates/:rate_card_id',
    route({
      config: { console: 'rates:write' },
      operationId: 'removeRates',
      summary: 'Remove a rate card; its messages get their price from another card, or none',
      params: object({ rate_card_id: Type.String({ maxLength: 64 }) }),
      response: { 200: answer(object({ id: Type.String() })) },
    }),
    async (request) => {
      const member = memberOf(request)
      const { rate_card_id: id } = request.params
      await removeRates(rt, member.accountId, id, authorOf(member))
      return ok({ id })
    },
  )
}
