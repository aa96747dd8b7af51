import { expect, test } from 'vitest'
import { createApp } from '../../server/src/http/app.ts'
import type { App } from '../../server/src/http/edge/context.ts'
import { ownCalls } from '../../server/src/http/graph/call-table.ts'
import { addGraphRoutes } from '../../server/src/http/graph/graph-routes.ts'
import { aRuntime } from '../support/runtime.ts'

/** The routes of the table of passed calls, which has a section of its own. */
const passed = ['/:id', '/:id/:edge', '/:id/:edge/:name']

test('the reference of Meta’s dialect has every route below /graph, and no other', async () => {
  const { rt, dispose } = await aRuntime('sqlite')
  const found = new Map<string, Set<string>>()
  const watch = async (app: App) => {
    app.addHook('onRoute', ({ url, method }) => {
      if (!url.startsWith('/graph')) return
      const path = url.slice('/graph'.length) || '/'
      const methods = [method].flat().filter((name) => name !== 'HEAD')
      found.set(path, new Set([...(found.get(path) ?? []), ...methods]))
    })
  }
  const app = await createApp(rt, { readiness: { check: async () => [] }, resources: [watch, addGraphRoutes] })
  await app.ready()
  const declared = Object.entries(ownCalls).filter(([route]) => found.has(route) && !passed.includes(route))
  for (const path of passed) found.delete(path)
  expect([...found.keys()].sort()).toEqual(declared.map(([route]) => route).sort())
  for (const [route, { methods }] of declared)
    expect([route, [...(found.get(route) ?? [])].sort()]).toEqual([route, [...methods].sort()])
  await app.close()
  await dispose()
})
