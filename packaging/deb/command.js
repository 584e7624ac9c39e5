import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { shownVariables, variablesIn } from './service-environment.js'

/**
 * `stowage` of the package. As root it acts for the service: as its user, with its settings and its state. Otherwise a command
 * of root would work on another database, or leave files that the service cannot open.
 */
const service = 'stowage'
const home = '/var/lib/stowage'
const settings = '/etc/stowage/stowage.env'
const program = fileURLToPath(new URL('../bin/stowage.js', import.meta.url))

/**
 * The types of Node lack a function.
 * @type {NodeJS.Process & { initgroups?: (user: string, group: string) => void }}
 */
const thisProcess = process

const environment = process.getuid?.() === 0 ? becomeService() : process.env
process.execve?.(process.execPath, [process.execPath, program, ...process.argv.slice(2)], { ...environment })

function becomeService() {
  const variables = {
    ...process.env,
    HOME: home,
    XDG_STATE_HOME: '/var/lib',
    ...shownVariables(environmentOfUnit()),
    ...(existsSync(settings) ? variablesIn(readFileSync(settings, 'utf8')) : {}),
  }
  process.chdir('/')
  process.umask(0o027)
  thisProcess.initgroups?.(service, service)
  process.setgid?.(service)
  process.setuid?.(service)
  return variables
}

/** Returns what `Environment=` of the unit and of its drop-ins contains. Without systemd, as in a container, nothing. */
function environmentOfUnit() {
  if (!existsSync('/run/systemd/system')) return ''
  try {
    return execFileSync('systemctl', ['show', '--property=Environment', '--value', service], {
      encoding: 'utf8',
    })
  } catch {
    return ''
  }
}
