import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { setFlagsFromString } from 'node:v8'
import { build, type App } from './build.ts'
import { failureLine } from './cli/failure-line.ts'
import { runCli } from './cli/run-cli.ts'
import { servingConfig } from './cli/serving-config.ts'
import { CallError } from './config/call-error.ts'
import { dangersOf } from './config/dangers.ts'
import type { Config } from './config/serving-options.ts'
import { realSurroundings, requireFolder } from './config/surroundings.ts'
import { openLog, type Log } from './logging.ts'
import { onLauncherGone } from './parent-pipe.ts'

/** How long what runs may go on after a signal (contract 14.5). */
const graceMs = 10_000
/** A terminal sends its signal to everyone, and launchers pass it on as well: within this time it is one wish. */
const sameWishMs = 1000
const stopSignals = ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGQUIT'] as const

/**
 * Code is optimised once it has been called so often. V8 waits for 3000 calls, since a page may be gone by then; a server stays. Its
 * second ten thousand small transfers take a quarter less time, the first two thousand somewhat more.
 */
const callsBeforeOptimising = 500

/** Two folders below the package, as the source is and as the bundle is. */
const inPackage = (name: string): string => fileURLToPath(new URL(`../../${name}`, import.meta.url))

const { version } = JSON.parse(readFileSync(inPackage('package.json'), 'utf8')) as { version: string }

/** A reader that has left must not end the server. */
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})

const words = process.argv.slice(2)
const { env, stdout, stderr } = process
const outcome = await runCli(words, {
  stdout,
  stderr,
  env,
  cwd: process.cwd(),
  nowMs: Date.now,
  randomBytes,
  version,
})
if (outcome === 'serve') await serve().catch(end)
else process.exitCode = outcome

async function serve(): Promise<void> {
  setFlagsFromString(`--invocation-count-for-turbofan=${callsBeforeOptimising}`)
  const surroundings = realSurroundings(env, process.cwd())
  const serving = await servingConfig(words, surroundings, Date.now)
  const { config, warnings, toStore } = serving
  requireFolder(config.root)
  const log = openLog(config.log, Date.now)
  for (const warning of [...warnings, ...dangersOf(serving)]) log.write(`Warning: ${warning}`)
  endOnFaults(log)
  const app = await build(config, {
    nowMs: Date.now,
    randomBytes,
    log: log.write,
    clientFolder: inPackage('dist/client'),
    version,
    toStore,
    environment: env,
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

/** The first signal lets what runs finish; a second one ends it at once. */
function stopOnSignals(app: App, log: Log): void {
  let wishedAtMs: number | null = null
  const stop = (): void => {
    if (wishedAtMs !== null && Date.now() - wishedAtMs < sameWishMs) return
    if (wishedAtMs !== null) process.exit(1)
    wishedAtMs = Date.now()
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
  stderr.write(`${failureLine(explained(thrown))}\n`)
  process.exit(thrown instanceof CallError ? 2 : 1)
}

/** What the system says in letters, in words. */
function explained(thrown: unknown): unknown {
  if (!(thrown instanceof Error)) return thrown
  const { code, syscall, port, address } = thrown as NodeJS.ErrnoException & {
    port?: number
    address?: string
  }
  if (syscall !== 'listen') return thrown
  if (code === 'EADDRINUSE') return new Error(`port ${port ?? address} is in use`)
  if (code === 'EACCES') return new Error(`not allowed to listen on port ${port ?? address}`)
  return thrown
}
