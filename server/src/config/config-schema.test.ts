import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { configurationPage } from '../../../scripts/documents/configuration-page.ts'
import { settings } from './config-schema.ts'

test('the configuration page has one line for every setting', () => {
  const page = configurationPage()
  for (const { name } of Object.values(settings)) {
    expect(page.split('\n').filter((line) => line.startsWith(`| \`${name}\``))).toHaveLength(1)
  }
})

test('docs/configuration.md is what the settings say', async () => {
  const script = fileURLToPath(new URL('../../../scripts/documents/configuration-page.ts', import.meta.url))
  const { stderr } = await promisify(execFile)(process.execPath, [script, '--check'])
  expect(stderr).toBe('')
})
