/**
 * A tag can be moved to another image, a digest cannot: `npm run release-check` fails while an image that the container is
 * built from has none. Looking one up needs the network, so it is done at the release and written into the Dockerfile.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../run-command.ts'

/** The images of a Dockerfile that are named by tag alone. */
export function imagesByTag(dockerfile: string): string[] {
  const given = [...dockerfile.matchAll(/^ARG \w+_IMAGE=(\S*)$/gm)].map(([, image = '']) => image)
  const written = [...dockerfile.matchAll(/^FROM (\S+)/gm)].map(([, image = '']) => image)
  const images = [...given, ...written.filter((image) => !image.startsWith('$'))]
  return images.filter((image) => !/@sha256:[0-9a-f]{64}$/.test(image))
}

if (import.meta.main) {
  for (const image of imagesByTag(readFileSync(join(root, 'deploy/Dockerfile'), 'utf8'))) {
    process.stderr.write(
      `deploy/Dockerfile: ${image} is a tag. Write its digest behind it, from docker buildx imagetools inspect ${image}\n`,
    )
    process.exitCode = 1
  }
}
