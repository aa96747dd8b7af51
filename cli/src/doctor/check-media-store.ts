import { findFiles, tryBucket } from '@postern/server/doctor.ts'
import { here } from '@postern/server/files.ts'
import type { Runtime } from '@postern/server/gateway.ts'
import { type Finding, found, problem, warning } from './finding.ts'

const check = 'media store'

/** Whether the bucket takes, gives and deletes, and whether every file is where this gateway can read it. */
export async function checkMediaStore(rt: Runtime): Promise<Finding[]> {
  const [probe, { current, files: places, deleted }] = await Promise.all([checkBucket(rt), findFiles(rt)])
  const others = places.filter(({ place }) => place !== current)
  const elsewhere = others.map(({ place, files, bytes }) => {
    const what = `${files} ${files === 1 ? 'file' : 'files'} (${(bytes / 1_000_000).toFixed(1)} MB)`
    if (place === here)
      return found(check, `${what} still with the database; "postern media move" moves them to the bucket`)
    const cure = 'Set it back, and run "postern media move --back" before it is changed.'
    return problem(check, `${what} in ${place}, which POSTERN_MEDIA_STORE does not name: they can't be read. ${cure}`)
  })
  const waiting = deleted.filter(({ place }) => place !== here && place !== current)
  const lost = waiting.map(({ place, files }) =>
    warning(
      check,
      `${files} deleted files are still in ${place}, which POSTERN_MEDIA_STORE does not name: delete them there.`,
    ),
  )
  return [...probe, ...elsewhere, ...lost]
}

async function checkBucket(rt: Runtime): Promise<Finding[]> {
  const tried = await tryBucket(rt)
  if (!tried) return []
  const { address } = tried
  if ('problem' in tried) return [problem(check, `${address}: ${tried.problem}`)]
  if (!tried.keepsVersions) return [found(check, `${address}: an object was put, read and deleted`)]
  const sentence = `${address} keeps old versions: a deleted file stays in it, also after the erasure of a customer`
  return [warning(check, `${sentence}. Add a lifecycle rule that expires noncurrent versions after a day.`)]
}
