import { existsSync } from 'node:fs'
import { mayInstall, run, step } from './steps.js'

const knownPaths = ['/usr/local/bin/bwrap', '/usr/bin/bwrap', '/bin/bwrap']

/**
 * Installs the sandbox for users' commands on Debian and Ubuntu when this process may install packages. Without a
 * sandbox, the tests that need it are skipped, and the names of these tests give the reason.
 */
export async function installSandboxIfMissing() {
  if (isSandboxInstalled() || !mayInstall()) return
  await step('Installing bubblewrap (once, less than 1 MB to fetch)', installSandbox)
  if (!isSandboxInstalled())
    console.log('Bubblewrap could not be installed: the tests of sandboxes are skipped.')
}

const isSandboxInstalled = () => knownPaths.some((candidate) => existsSync(candidate))

async function installSandbox() {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const install = ['apt-get', 'install', '-y', '-q', '--no-install-recommends', 'bubblewrap']
  await run(['apt-get', 'update', '-q'], { folder: '/', env })
  await run(install, { folder: '/', env })
}
