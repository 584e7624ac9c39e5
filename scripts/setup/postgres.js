import { existsSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { mayInstall, run, step } from './steps.js'

const aptPackages = ['postgresql-common', 'postgresql']
const aptConfiguration = '/etc/postgresql-common/createcluster.conf'

/**
 * Folders outside the search path in which distributions install the PostgreSQL server programs. Each version has its
 * own subfolder.
 */
const knownPaths = ['/usr/lib/postgresql', '/opt/homebrew/opt', '/usr/local/opt']

/**
 * Returns the folder that contains the PostgreSQL server programs. On Debian and Ubuntu, missing programs are installed
 * when this process may install packages. Returns null when the programs are not available. The tests that need
 * PostgreSQL are then skipped with a message.
 * @returns {Promise<string | null>}
 */
export async function findOrInstallPostgres() {
  const existing = findPostgres()
  if (existing !== null || !mayInstall()) return existing
  await step('Installing PostgreSQL (once, about 20 MB to fetch)', installPostgres).catch(() => {})
  return findPostgres()
}

/** @returns {string | null} */
export function findPostgres() {
  const named = process.env['POSTGRES_PROGRAMS']
  if (named !== undefined) return named !== '' && hasPrograms(named) ? named : null
  const searched = (process.env['PATH'] ?? '').split(path.delimiter).filter((folder) => folder !== '')
  return [...searched, ...knownPaths.flatMap(versionsIn)].find(hasPrograms) ?? null
}

/** @param {string} folder */
const hasPrograms = (folder) =>
  ['initdb', 'pg_ctl', 'postgres'].every((name) => existsSync(path.join(folder, name)))

/**
 * Returns the program folders below a folder, the newest version first.
 * @param {string} candidate
 */
function versionsIn(candidate) {
  if (!existsSync(candidate)) return []
  return readdirSync(candidate)
    .sort((a, b) => Number.parseFloat(b.replace(/^\D+/, '')) - Number.parseFloat(a.replace(/^\D+/, '')))
    .map((version) => path.join(candidate, version, 'bin'))
}

/**
 * Installs PostgreSQL. Debian would also create and start a server, which is prevented, because the tests start their
 * own server.
 */
async function installPostgres() {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const install = ['apt-get', 'install', '-y', '-q', '--no-install-recommends']
  await run(['apt-get', 'update', '-q'], { folder: '/', env })
  for (const name of aptPackages) {
    const { code, output } = await run([...install, name], { folder: '/', env })
    if (code !== 0) throw new Error(output)
    await run(['sed', '-i', 's/^#\\?create_main_cluster.*/create_main_cluster = false/', aptConfiguration], {
      folder: '/',
    })
  }
}
