import { existsSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { mayInstall, run, step } from './steps.js'

const aptPackages = ['postgresql-common', 'postgresql']
const aptConfiguration = '/etc/postgresql-common/createcluster.conf'

/** Where distributions keep the programs of a server: out of the search path, a folder for each version. */
const places = ['/usr/lib/postgresql', '/opt/homebrew/opt', '/usr/local/opt']

/**
 * The folder of a PostgreSQL server's programs; on Debian and Ubuntu they are installed where that may be done. Null where there
 * are none: then the tests that need them are left out, and it is said so.
 * @returns {Promise<string | null>}
 */
export async function foundPostgres() {
  const there = findPostgres()
  if (there !== null || !mayInstall()) return there
  await step('Installing PostgreSQL (once, about 20 MB to fetch)', installPostgres).catch(() => {})
  return findPostgres()
}

/** @returns {string | null} */
export function findPostgres() {
  const named = process.env['POSTGRES_PROGRAMS']
  if (named !== undefined) return named !== '' && hasPrograms(named) ? named : null
  const searched = (process.env['PATH'] ?? '').split(path.delimiter).filter((folder) => folder !== '')
  return [...searched, ...places.flatMap(versionsIn)].find(hasPrograms) ?? null
}

/** @param {string} folder */
const hasPrograms = (folder) =>
  ['initdb', 'pg_ctl', 'postgres'].every((name) => existsSync(path.join(folder, name)))

/**
 * The newest first.
 * @param {string} place
 */
function versionsIn(place) {
  if (!existsSync(place)) return []
  return readdirSync(place)
    .sort((a, b) => Number.parseFloat(b.replace(/^\D+/, '')) - Number.parseFloat(a.replace(/^\D+/, '')))
    .map((version) => path.join(place, version, 'bin'))
}

/** Without the server that Debian would start: the tests start one of their own. */
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
