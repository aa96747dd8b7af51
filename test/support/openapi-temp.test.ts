import { expect, test } from 'vitest'
import { changeTemplate } from '../../server/src/templates/change-template.ts'
import { aWorld } from './world.ts'
test.each(['postgres', 'sqlite'] as const)('x %s', async (engine) => {
  const world = await aWorld(engine)
  const { rt } = world.service
  const list = (await world.get('/v1/chat/templates?limit=100')).body.data.templates
  const out: string[] = []
  for (const { id } of list)
    for (let round = 0; round < 20; round++) {
      const all = await Promise.allSettled(
        Array.from({ length: 4 }, async (_, i) => {
          await new Promise((r) => setTimeout(r, i))
          return changeTemplate(rt, { accountId: world.accountId, id, cause: 'sync' }, (now) => ({ ...now, quality: `q${round}${i}` as never }))
        }),
      )
      for (const a of all) out.push(a.status === 'fulfilled' ? 'ok' : `${(a.reason as Error).name}: ${(a.reason as Error).message}`)
    }
  console.log(engine, Object.entries(Object.groupBy(out, (x) => x)).map(([k, v]) => `${k} x${v?.length}`))
  await world.stop()
  expect(1).toBe(1)
}, 120000)
