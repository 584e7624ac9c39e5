import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { AppError } from '../shared/domain/failure.ts'
import { build, readStored, type App } from './build.ts'
import { CallError } from './config/call-error.ts'
import { loadConfig } from './config/load-config.ts'
import type { Config } from './config/serving-options.ts'
import { realSurroundings, requireFolder } from './config/surroundings.ts'
import { openLog, type Log } from './logging.ts'
import { onLauncherGone } from './parent-pipe.ts'

/** How long what runs may go on after a signal (contract 14.5). */
const graceMs = 10_000
const stopSignals = ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGQUIT'] as const

/** Two folders below the package, as the source is and as the bundle is. */
const inPackage = (name: string): string => fileURLToPath(new URL(`../../${name}`, import.meta.url))

const { version } = JSON.parse(readFileSync(inPackage('package.json'), 'utf8')) as { version: string }

/** A reader that has left must not end the server. */
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})

try {
  await serve()
} catch (thrown) {
  end(thrown)
}

async function serve(): Promise<void> {
  const surroundings = realSurroundings(process.env, process.cwd())
  const said = { ...surroundings, argv: process.argv.slice(2) }
  const stored = await readStored(loadConfig(said).config.database, Date.now)
  const { config, warnings } = loadConfig({ ...said, stored })
  requireFolder(config.root)
  const log = openLog(config.log)
  for (const warning of warnings) log.write(warning)
  endOnFaults(log)
  const app = await build(config, {
    nowMs: Date.now,
    randomBytes,
    log: log.write,
    clientFolder: inPackage('dist/client'),
    version,
  })
  stopOnSignals(app, log)
  const { firstPassword } = app
  if (firstPassword !== null)
    tell(`User '${config.username}' initialized with randomly generated password: ${firstPassword}`)
  const { url } = await app.listen(whereOf(config))
  tell(`Listening on ${url === '' ? config.socket : `${url}${config.baseURL}`}`)
}

/** For whoever started it; never into a log file, since one of the two lines is a secret. */
function tell(line: string): void {
  process.stdout.write(`${line}\n`)
}

function whereOf({ socket, socketPerm, address, port }: Config) {
  return socket === '' ? { host: address, port } : { socketPath: socket, socketMode: socketPerm }
}

/** The first signal lets what runs finish; the second ends it at once. */
function stopOnSignals(app: App, log: Log): void {
  let isStopping = false
  const stop = (): void => {
    if (isStopping) process.exit(1)
    isStopping = true
    app.close({ graceMs }).then(
      () => {
        log.close()
        process.exit(0)
      },
      (thrown: unknown) => end(thrown),
    )
  }
  for (const signal of stopSignals) process.on(signal, stop)
  onLauncherGone(process.env['STOWAGE_PARENT_PIPE'], stop)
}

/** What nobody caught leaves nothing that can be relied on. */
function endOnFaults(log: Log): void {
  process.on('uncaughtException', (thrown) => {
    log.write(`fatal: ${JSON.stringify(thrown instanceof Error ? thrown.stack : thrown)}`)
    process.exit(1)
  })
}

/** One line for whoever started it: 2 when it was called wrongly, 1 when it failed. */
function end(thrown: unknown): never {
  process.stderr.write(`${sentenceOf(thrown).replaceAll(/[\u0000-\u001f\u007f]+/g, ' ')}\n`)
  process.exit(thrown instanceof CallError ? 2 : 1)
}

function sentenceOf(thrown: unknown): string {
  if (!(thrown instanceof Error)) return String(thrown)
  const { code, port, address } = thrown as Error & { code?: unknown; port?: unknown; address?: unknown }
  if (code === 'EADDRINUSE') return `port ${String(port ?? address)} is in use`
  if (code === 'EACCES') return `not allowed to listen on ${String(port ?? address)}`
  return thrown instanceof AppError ? (thrown.reason ?? thrown.code) : thrown.message
}
