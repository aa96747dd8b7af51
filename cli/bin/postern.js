#!/usr/bin/env node
// The only file in plain JavaScript: an older Node must be able to read it and say what is wrong.
const [major, minor] = process.versions.node.split('.').map(Number)
if (major < 24 || (major === 24 && minor < 15)) {
  process.stderr.write(
    `Postern needs Node 24.15 or newer, this is ${process.versions.node}. In a clone, "npm ci" brings one and "npm start" uses it.\n`,
  )
  process.exit(1)
}
const { enableCompileCache } = await import('node:module')
enableCompileCache(new URL('../../node_modules/.cache/postern', import.meta.url).pathname)
await import('../src/main.ts')
