/**
 * Runs before `npm test`: where npm brings no browser it installs Debian's in continuous integration, and says elsewhere
 * what to run; the tests then leave the stories in a browser out.
 */
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { debianPackage, findBrowser, howToGetOne, withoutBrowser } from '../test/support/browser/find-browser.ts'

if (findBrowser() === null) getOne()

function getOne(): void {
  const action = withoutBrowser({
    isCi: process.env.CI === 'true',
    isRoot: process.getuid?.() === 0,
    isDebian: existsSync('/etc/debian_version'),
  })
  if (action === 'install' && install() && findBrowser() !== null) return
  say(`There is no browser for the tests on ${process.platform} ${process.arch}. ${howToGetOne}`)
  process.exitCode = action === 'skip' ? 0 : 1
}

/** Shows the output of apt-get only when it fails. */
function install(): boolean {
  say(`There is no browser for the tests: installing ${debianPackage} with apt-get, because CI=true.`)
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  return [['update'], ['install', '-y', '--no-install-recommends', debianPackage]].every((args) => {
    const { status, stdout, stderr } = spawnSync('apt-get', ['-qq', ...args], { env, encoding: 'utf8' })
    if (status !== 0) say(`apt-get ${args.join(' ')} failed:\n${stdout}${stderr}`)
    return status === 0
  })
}

function say(text: string): void {
  process.stderr.write(`${text}\n`)
}
