import { execFile } from 'node:child_process'
import { mkdtemp, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { npm } from '../../scripts/run-command.ts'

/** npm with an empty cache, where no registry can be reached: what it needs must be in the files it is given. */
export async function runNpm(cwd: string, ...words: string[]): Promise<string> {
  const env = {
    PATH: process.env.PATH,
    HOME: cwd,
    npm_config_cache: join(cwd, '.npm'),
    npm_config_registry: 'http://registry.invalid/',
    npm_config_offline: 'true',
    npm_config_audit: 'false',
    npm_config_fund: 'false',
    // It unpacks 10,000 small files one after the other; handing them to four threads takes a third more CPU.
    UV_THREADPOOL_SIZE: '1',
  }
  const { program, args } = npm(...words)
  const { stdout } = await promisify(execFile)(program, [...args], { cwd, env })
  return stdout
}

/** An empty project below `folder` with a packed package installed in it. */
export async function installPackage(folder: string, file: string): Promise<string> {
  const project = await mkdtemp(join(folder, 'project-'))
  await writeFile(join(project, 'package.json'), '{"private": true}\n')
  await runNpm(project, 'install', file)
  return project
}
