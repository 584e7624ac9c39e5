import { randomBytes } from 'node:crypto'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { setFlagsFromString } from 'node:v8'
import { build, migrationWaitWith, type ServerApp } from './build.ts'
import { errorLine, runCli } from './cli/run-cli.ts'
import { servingConfig, type ServingConfig } from './cli/serving-config.ts'
import { UsageError } from './config/usage-error.ts'
import { securityWarnings } from './config/security-warnings.ts'
import { memoryLimitBytes } from './config/memory-budget.ts'
import type { Config } from './config/serving-options.ts'
import { realEnvironment, requireFolder } from './config/config-environment.ts'
import { refuseServedState } from './config/served-state.ts'
import { startFilesOf } from './config/state-paths.ts'
import { openLog, type ServerLog } from './logging.ts'
import { onLauncherExit } from './parent-pipe.ts'
import { takeServiceManager } from './service-manager.ts'
import { processCountOf, thisMachine } from './supervision/process-count.ts'
import { requireFreePort } from './supervision/require-free-port.ts'
import { onSupervisorExit, reportListening, takeServingProcess } from './supervision/serving-process.ts'
import { supervise } from './supervision/supervisor.ts'

/**
 * The maximum time in milliseconds for which running requests may continue after a stop signal. The server ends within 8 s,
 * because service managers kill it after 10 s. The rest is for closing its files, which took 2.5 s when six other programs
 * occupied two processors, and 0.1 s when none did.
 */
const graceMs = 5500
/**
 * Signals within this time in milliseconds count as one signal, because a terminal sends a signal to all processes of
 * the group, and the launcher also forwards it.
 */
const repeatedSignalMs = 1000
/** The environment variable with the end of a pipe of the launcher. */
const launcherPipeVariable = 'STOWAGE_PARENT_PIPE'
const stopSignals = ['SIGTERM', 'SIGINT', 'SIGQUIT'] as const

/**
 * The number of calls after which V8 optimises a function. V8's default of 3000 is suitable for web pages, which may be
 * closed soon, and too high for a server. With 500, the first two thousand small transfers take slightly longer, and
 * the transfers ten thousand to twenty thousand take a quarter less time.
 */
const callsBeforeOptimising = 500

/**
 * Returns the path of a file of the package. Both the source and the bundle of this file are two folders below the
 * package's root.
 */
const inPackage = (name: string): string => fileURLToPath(new URL(`../../${name}`, import.meta.url))

const { version } = JSON.parse(readFileSync(inPackage('package.json'), 'utf8')) as { version: string }

/** Ignores errors of standard output and standard error, so that a closed pipe does not end the server. */
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})

const args = process.argv.slice(2)
const { env, stdout, stderr } = process
const outcome = await runCli(args, {
  stdout,
  stderr,
  env,
  cwd: process.cwd(),
  nowMs: Date.now,
  randomBytes,
  version,
})
const logs: ServerLog[] = []
const ownPart = takeServingProcess(env)
const serviceManager = takeServiceManager(env, (line) => stderr.write(`Warning: ${line}\n`))
if (outcome === 'serve') await serve().catch(exitWith)
else process.exitCode = outcome

async function serve(): Promise<void> {
  setFlagsFromString(`--invocation-count-for-turbofan=${callsBeforeOptimising}`)
  const environment = realEnvironment(env, process.cwd())
  const servingSetup = await servingConfig(args, environment, {
    nowMs: Date.now,
    randomBytes,
    migrationWait: migrationWaitWith(printForOperator),
  })
  const { config: loaded, sources: configSources, toStore: optionsToStore } = servingSetup
  const config = ownPart === null ? loaded : { ...loaded, port: ownPart.port, sharePort: true }
  requireFolder(config.root)
  if (ownPart === null) refuseServedState(config)
  const processCount = ownPart === null ? processCountOf(config, thisMachine()) : 1
  const log = openLog(config.log, { nowMs: Date.now })
  const auditLog = openLog(config.auditLog, { nowMs: Date.now, droppedLine: droppedEventsLine })
  logs.push(log, auditLog)
  // Several processes have one supervisor, which has written these lines before.
  if (ownPart === null) writeStartLines(servingSetup, log)
  exitOnUncaughtException(log)
  if (processCount > 1) return superviseProcesses(config, { processCount, log })
  const app = await build(config, {
    nowMs: Date.now,
    randomBytes,
    log: log.write,
    logAudit: config.auditLog === '' ? undefined : auditLog.write,
    memoryBytes: memoryLimitBytes() / (ownPart?.count ?? 1),
    clientFolder: inPackage('dist/client'),
    version,
    optionsToStore,
    originalDatabase: servingSetup.original,
    startFiles: startFilesOf(environment),
    configSources,
    processCount: ownPart?.count,
    processNumber: ownPart?.number,
    environment: env,
    onChildSignal(listener) {
      process.on('SIGCHLD', listener)
      return () => void process.off('SIGCHLD', listener)
    },
  })
  handleSignals(appControls(app))
  const { firstPassword } = app
  if (firstPassword !== null)
    printForOperator(
      `User '${config.username}' initialized with randomly generated password: ${firstPassword}`,
    )
  const { url, port } = await app.listen(listenTargetOf(config))
  const listeningAt = url === '' ? config.socket : `${url}${config.baseURL}`
  if (ownPart === null) {
    printForOperator(`Listening on ${listeningAt}`)
    await serviceManager.reportReady(`Listening on ${listeningAt}`)
  } else reportListening({ listeningAt, port })
  await app.findMissingPackages()
}

function writeStartLines(setup: ServingConfig, log: ServerLog): void {
  for (const notice of setup.notices) log.write(notice)
  for (const warning of [...setup.warnings, ...securityWarnings(setup)]) log.write(`Warning: ${warning}`)
}

/** Starts several processes that serve together. This process only supervises them, and ends after the last one. */
async function superviseProcesses(
  config: Config,
  { processCount, log }: { readonly processCount: number; readonly log: ServerLog },
): Promise<void> {
  if (!config.sharePort) await requireFreePort({ host: config.address, port: config.port })
  const [standardOutput, standardError] = [
    openLog('stdout', { nowMs: Date.now }),
    openLog('stderr', { nowMs: Date.now }),
  ]
  logs.push(standardOutput, standardError)
  // The processes learn of the end of the launcher from this one.
  const { [launcherPipeVariable]: _pipe, ...processEnv } = env
  const supervisor = supervise({
    count: processCount,
    port: config.port,
    program: process.argv[1] ?? fileURLToPath(import.meta.url),
    args,
    env: processEnv,
    log: log.write,
    output: { stdout: standardOutput.write, stderr: standardError.write },
    onListening({ listeningAt }) {
      standardOutput.write(`Listening on ${listeningAt}`)
      void serviceManager.reportReady(`Listening on ${listeningAt}`)
    },
  })
  handleSignals({ stop: supervisor.signal, hangUp: () => supervisor.signal('SIGHUP') })
  void supervisor.ended.then(async (code) => {
    await closeLogs()
    process.exit(code)
  })
}

/**
 * Prints a line to standard output for the user who started the server. These lines are never written to the log,
 * because one of them contains a password.
 */
function printForOperator(line: string): void {
  process.stdout.write(`${line}\n`)
}

function listenTargetOf({ socket, socketPerm, address, port, sharePort }: Config) {
  return socket === ''
    ? { host: address, port, isShared: sharePort }
    : { socketPath: socket, socketMode: socketPerm }
}

/** True when this process has a terminal. A terminal that is closed sends SIGHUP, and cannot be opened any more. */
function hasTerminal(): boolean {
  try {
    closeSync(openSync('/dev/tty', 'r'))
    return true
  } catch {
    return false
  }
}

/**
 * Stops the server on a signal. The first signal lets running requests finish, and a later signal ends the process
 * immediately. SIGHUP stops only a server whose terminal was closed. Otherwise it opens the log files again, which a tool
 * such as logrotate has renamed, and reads a renewed certificate.
 */
function handleSignals({ stop: stopWith, hangUp }: ServerControls): void {
  let stopRequestedAtMs: number | null = null
  const stop = (signal: NodeJS.Signals): void => {
    if (stopRequestedAtMs !== null && Date.now() - stopRequestedAtMs < repeatedSignalMs) return
    if (stopRequestedAtMs !== null) process.exit(1)
    stopRequestedAtMs = Date.now()
    void serviceManager.reportStopping()
    stopWith(signal)
  }
  for (const signal of stopSignals) process.on(signal, stop)
  const startedAtTerminal = hasTerminal()
  process.on('SIGHUP', () => {
    if (startedAtTerminal && !hasTerminal()) return stop('SIGTERM')
    for (const log of logs) log.reopen()
    hangUp()
  })
  if (ownPart === null) onLauncherExit(env[launcherPipeVariable], () => stop('SIGTERM'))
  else onSupervisorExit(process, () => stop('SIGTERM'))
}

/** The effects of signals on a server, or on the processes of a supervisor. */
type ServerControls = {
  readonly stop: (signal: NodeJS.Signals) => void
  readonly hangUp: () => void
}

function appControls(app: ServerApp): ServerControls {
  return {
    stop: () =>
      void app
        .close({ graceMs })
        .then(closeLogs)
        .then(() => process.exit(0), exitWith),
    hangUp: () => void app.renewCertificate(),
  }
}

/** Writes the lines of the logs that have not been written. */
async function closeLogs(): Promise<void> {
  await Promise.all(logs.map((log) => log.close()))
}

/** Returns the line in the audit log for collectors that stands for lines that were dropped. */
function droppedEventsLine(count: number): string {
  const event = { action: 'events-dropped', outcome: 'ok', actor: 'server', details: { count } }
  return JSON.stringify({ time: new Date().toISOString(), ...event })
}

/**
 * Logs an uncaught exception and ends the process, because the state of the process is no longer reliable. The process runs
 * until the log is written, and for a second at most.
 */
function exitOnUncaughtException(log: ServerLog): void {
  let isEnding = false
  process.on('uncaughtException', (thrown) => {
    if (isEnding) return
    isEnding = true
    log.write(`fatal: ${JSON.stringify(thrown instanceof Error ? thrown.stack : thrown)}`)
    void log.flush().then(() => process.exit(1))
  })
}

/** Prints one line and ends the process with exit code 2 for a usage error and 1 for any other failure. */
async function exitWith(thrown: unknown): Promise<never> {
  await closeLogs()
  stderr.write(`${errorLine(withReadableMessage(thrown))}\n`)
  process.exit(thrown instanceof UsageError ? 2 : 1)
}

/** Returns an error with a readable message when the server could not listen. Returns any other value unchanged. */
function withReadableMessage(thrown: unknown): unknown {
  if (!(thrown instanceof Error)) return thrown
  const { code, syscall, port, address } = thrown as NodeJS.ErrnoException & {
    port?: number
    address?: string
  }
  if (syscall !== 'listen') return thrown
  if (code === 'EADDRINUSE') return new Error(`port ${port} is in use`)
  if (code === 'ENOTSUP') return new Error('this system cannot share a port (--sharePort, --processes)')
  if (code === 'EACCES') return new Error(`not allowed to listen on port ${port}`)
  if (code === 'EADDRNOTAVAIL') return new Error(`this machine has no address ${address}`)
  return thrown
}
