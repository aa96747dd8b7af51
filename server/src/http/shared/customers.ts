import { answer, ok } from '../../contract/envelope.ts'
import {
  Customer,
  CustomerList,
  CustomerPath,
  CustomerPreferenceRequest,
  CustomerRequest,
  CustomersQuery,
} from '../../contract/messages/customers.ts'
import { furtherChecks, ref } from '../../contract/schema.ts'
import { addCustomer, getCustomer, listCustomers } from '../../messages/customers/list-customers.ts'
import { setCustomerPreference } from '../../messages/customers/record-preference.ts'
import type { Runtime } from '../../runtime.ts'
import type { App } from '../edge/context.ts'
import { routesOf } from '../edge/context.ts'
import type { Mount } from './mount.ts'

const route = routesOf('Customers')
const masked = 'Without the scope `messages:read`, names are null and addresses have only their first and last digits.'

/** People who wrote or were written to, whichever addresses they use. */
export function addCustomerRoutes(app: App, rt: Runtime, mount: Mount): void {
  app.get(
    `${mount.chat}/customers`,
    route({
      config: mount.may('customers:read'),
      operationId: 'listCustomers',
      summary: 'List customers, or find one by address',
      description: `Customers with the newest activity first. With \`address\`, the customer who has it, or none. ${masked}`,
      querystring: CustomersQuery,
      ...furtherChecks('address'),
      response: { 200: answer(ref(CustomerList)) },
    }),
    async (request) => {
      const { address = null, limit = 25, cursor = null } = request.query
      return ok(await listCustomers(rt, mount.principalOf(rt, request), { address, limit, cursor }))
    },
  )

  app.post(
    `${mount.chat}/customers`,
    route({
      config: mount.may('customers:write'),
      operationId: 'createCustomer',
      summary: 'Get or create the customer of an address',
      description:
        'Use it to record consent before the first message. Safe to repeat: a known address returns its customer.',
      body: ref(CustomerRequest),
      ...furtherChecks('address'),
      response: { 200: answer(ref(Customer)) },
    }),
    async (request) => ok(await addCustomer(rt, mount.principalOf(rt, request), request.body.address)),
  )

  app.get(
    `${mount.chat}/customers/:customer_id`,
    route({
      config: mount.may('customers:read'),
      operationId: 'getCustomer',
      summary: 'Get a customer with windows and preferences',
      description: masked,
      params: CustomerPath,
      response: { 200: answer(ref(Customer)) },
    }),
    async (request) => ok(await getCustomer(rt, mount.principalOf(rt, request), request.params.customer_id)),
  )

  app.put(
    `${mount.chat}/customers/:customer_id/preference`,
    route({
      config: mount.may('customers:write'),
      operationId: 'setCustomerPreference',
      summary: 'Record or withdraw consent to marketing messages',
      description:
        'Recorded with the time and the name of the API key or person, in the audit log, and in an event where it changes something. Marketing templates to customers who opted out are rejected.',
      params: CustomerPath,
      body: ref(CustomerPreferenceRequest),
      ...furtherChecks('from'),
      response: { 200: answer(ref(Customer)) },
    }),
    async (request) => {
      const principal = mount.principalOf(rt, request)
      const { marketing, from = null } = request.body
      const wanted = { customerId: request.params.customer_id, state: marketing, from }
      return ok(await setCustomerPreference(rt, principal, wanted, await principal.author()))
    },
  )
}
