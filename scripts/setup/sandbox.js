import { existsSync } from 'node:fs'
import { mayInstall, run, step } from './steps.js'

const places = ['/usr/local/bin/bwrap', '/usr/bin/bwrap', '/bin/bwrap']

/**
 * The sandbox that people's commands are run in; on Debian and Ubuntu it is installed where that may be done. Where there is none
 * the tests that need one are skipped, and say so in their names.
 */
export async function offeredSandbox() {
  if (isThere() || !mayInstall()) return
  await step('Installing bubblewrap (once, less than 1 MB to fetch)', installSandbox)
  if (!isThere()) console.log('Bubblewrap could not be installed: the tests of sandboxes are skipped.')
}

const isThere = () => places.some((place) => existsSync(place))

async function installSandbox() {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const install = ['apt-get', 'install', '-y', '-q', '--no-install-recommends', 'bubblewrap']
  await run(['apt-get', 'update', '-q'], { folder: '/', env })
  await run(install, { folder: '/', env })
}
