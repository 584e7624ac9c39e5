import { realpathSync } from 'node:fs'
import { createOwnFilesReader } from '../config/own-files.ts'
import { containerStartFiles } from '../config/state-paths.ts'
import type { Config } from '../config/serving-options.ts'
import type { BubblewrapSearchResult } from '../programs/find-bubblewrap.ts'
import { findProgram, trustedPath } from '../programs/find-program.ts'
import {
  withJoinedOutputs,
  runInSandbox,
  type CommandOutcome,
  type CommandLocation,
  type CommandRequest,
} from '../programs/run-in-sandbox.ts'
import type { ProcessStarter } from '../programs/process-starter.ts'
import { runProgram } from '../programs/run-program.ts'
import { isVisibleIn, systemFolders, type SandboxEnvironment } from '../programs/bubblewrap-args.ts'
import { createProcessLimiter } from '../programs/process-limiter.ts'

/** The dependencies of the command runner. */
export type CommandRunnerDependencies = {
  readonly start: ProcessStarter
  readonly config: Config
  readonly nowMs: () => number
  readonly environment: Readonly<Record<string, string | undefined>>
  /** Checks whether this machine has a usable sandbox. Called once, when a command is first checked or run. */
  readonly findSandbox: (
    start: ProcessStarter,
    environment: SandboxEnvironment,
  ) => Promise<BubblewrapSearchResult>
}

/**
 * Runs commands of users. `disabledReason` returns the reason why commands are disabled; null when they can run. `run`
 * returns how the command ended, or the reason why the command was refused.
 */
type CommandRunner = {
  readonly disabledReason: () => Promise<string | null>
  readonly run: (location: CommandLocation, request: CommandRequest) => Promise<CommandOutcome | string>
}

/**
 * Creates the command runner. Commands run in the sandbox. On a machine without a sandbox, commands run without
 * restrictions on file access when `--unsafeExec` is set, and are refused otherwise.
 */
export function createCommandRunner({
  start,
  config,
  nowMs,
  environment,
  findSandbox,
}: CommandRunnerDependencies): CommandRunner {
  const { LANG, TZ } = environment
  const ownFiles = createOwnFilesReader(config, nowMs, { startFiles: containerStartFiles })
  const servedFolder = realpathSync(config.root)
  let sandboxTools: Promise<{ bubblewrap: BubblewrapSearchResult; prlimit: string | null }> | undefined
  const findTools = async () => ({
    bubblewrap: await findSandbox(start, { LANG, TZ }),
    prlimit: await findProgram('prlimit'),
  })

  async function disabledReason(): Promise<string | null> {
    if (config.disableExec) return 'commands are switched off'
    const { bubblewrap } = await (sandboxTools ??= findTools())
    if (bubblewrap.isUsable || config.unsafeExec) return null
    return `there is no sandbox, and --unsafeExec was not given: ${bubblewrap.reason}`
  }

  return {
    disabledReason,
    async run(location, request) {
      const reason = await disabledReason()
      if (reason !== null) return reason
      const { bubblewrap, prlimit } = await (sandboxTools ??= findTools())
      const limits = processLimits(config)
      if (!bubblewrap.isUsable) {
        const limited = createProcessLimiter(prlimit, { ...limits, processes: null })
        return runWithoutSandbox(location, { ...request, words: limited(request.words) }, { start, LANG, TZ })
      }
      const visibleFolders = [...systemFolders, location.scope.realPath]
      if (ownFiles().folders.some((folder) => isVisibleIn(folder, visibleFolders))) {
        return "the command could see the server's own files"
      }
      if (isVisibleIn(servedFolder, systemFolders) || location.scope.realPath === '/') {
        return 'the served folder is a folder of the system'
      }
      return runInSandbox(
        { start, bubblewrap, withLimits: createProcessLimiter(prlimit, limits), ...limits },
        location,
        request,
      )
    },
  }
}

const mib = 1024 * 1024

/**
 * Returns the resource limits of one command. The processor time equals the time limit of a command. 64 processes and
 * 1 GiB of memory are the limits of docs/decisions, 18. 1024 open files are the usual default of Linux. A command may
 * write files up to the size limit of uploads, or up to 4 GiB when uploads are unlimited.
 */
function processLimits({ maxUploadSize }: Config) {
  return {
    cpuSeconds: 60,
    memoryBytes: 1024 * mib,
    fileBytes: maxUploadSize === 0 ? 4096 * mib : maxUploadSize,
    processes: 64,
    openFiles: 1024,
  }
}

/**
 * Runs a command without a sandbox. The command gets a reduced environment, but its file access is not restricted.
 * Called only on machines without a sandbox when `--unsafeExec` is set.
 */
async function runWithoutSandbox(
  { folder }: CommandLocation,
  { words, timeMs, signal, onOutput }: CommandRequest,
  { start, LANG = 'C.UTF-8', TZ }: SandboxEnvironment & { readonly start: ProcessStarter },
): Promise<CommandOutcome> {
  const [program = '', ...args] = withJoinedOutputs(words)
  const ending = await runProgram(start, {
    program,
    args,
    env: { PATH: trustedPath, HOME: '/tmp', LANG, TZ },
    cwd: folder.realPath,
    timeMs,
    signal,
    leftoverProcesses: 'killed',
    onOutput: (bytes) => onOutput(bytes),
  })
  return { ending, reason: null }
}
