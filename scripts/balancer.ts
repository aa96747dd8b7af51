import net from 'node:net'

export type Balancer = { readonly port: number; close(): Promise<void> }

const checkEveryMs = 250
const checkTimeoutMs = 1_000

/**
 * Spreads TCP connections over nodes, as a load balancer in front of a cluster has to: a node gets new connections while
 * its `/readyz` answers 200 in time, and one that refuses is passed over. A demonstration, not for production.
 */
export async function startBalancer(nodePorts: readonly number[], port = 0): Promise<Balancer> {
  const ready = new Set(nodePorts)
  const sockets = new Set<net.Socket>()
  let turn = 0
  const server = net.createServer({ pauseOnConnect: true }, (client) => {
    track(client)
    const order = nodePorts.map((_, index) => nodePorts[(turn + index) % nodePorts.length] ?? 0)
    turn++
    connectTo(client, [...order.filter((one) => ready.has(one)), ...order.filter((one) => !ready.has(one))])
  })
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, '127.0.0.1', resolve))
  const timer = setInterval(() => nodePorts.forEach((one) => void check(one)), checkEveryMs)
  return {
    port: (server.address() as net.AddressInfo).port,
    async close() {
      clearInterval(timer)
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }

  function connectTo(client: net.Socket, [next, ...others]: readonly number[]): void {
    if (next === undefined) return void client.destroy()
    const node = net.connect(next, '127.0.0.1')
    track(node)
    node.once('error', () => (node.bytesRead === 0 && node.connecting ? connectTo(client, others) : client.destroy()))
    node.once('connect', () => {
      client.pipe(node)
      node.pipe(client)
      client.once('close', () => node.destroy())
      node.once('close', () => client.destroySoon())
    })
  }

  function track(socket: net.Socket): void {
    sockets.add(socket)
    socket.on('error', () => {}).once('close', () => sockets.delete(socket))
  }

  async function check(one: number): Promise<void> {
    const signal = AbortSignal.timeout(checkTimeoutMs)
    const { ok } = await fetch(`http://127.0.0.1:${one}/readyz`, { signal }).catch(() => ({ ok: false }))
    if (ok) ready.add(one)
    else ready.delete(one)
  }
}
