/**
 * Stands between a service and its database as the network does when they run on different machines: what the service
 * writes arrives some milliseconds later. Arguments: address of the database, milliseconds. Prints its port.
 */
import { type AddressInfo, connect, createServer } from 'node:net'

const [databaseUrl = '', milliseconds = '1'] = process.argv.slice(2)
const { hostname, port } = new URL(databaseUrl)

const server = createServer({ noDelay: true }, (service) => {
  const database = connect({ host: hostname, port: Number(port), noDelay: true })
  service.on('data', (packet) => setTimeout(() => database.write(packet), Number(milliseconds)))
  database.on('data', (packet) => service.write(packet))
  for (const [one, other] of [
    [service, database],
    [database, service],
  ] as const) {
    one.on('error', () => other.destroy()).on('close', () => other.destroy())
  }
})
server.listen(0, '127.0.0.1', () => process.stdout.write(`${(server.address() as AddressInfo).port}\n`))
