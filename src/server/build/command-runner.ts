import { realpathSync } from 'node:fs'
import { ownFilesOf } from '../config/own-files.ts'
import type { Config } from '../config/serving-options.ts'
import type { Bubblewrap } from '../programs/find-bubblewrap.ts'
import { findProgram, trustedPath } from '../programs/find-program.ts'
import {
  joined,
  runInSandbox,
  type CommandEnd,
  type CommandPlace,
  type CommandRun,
} from '../programs/run-in-sandbox.ts'
import { runProgram } from '../programs/run-program.ts'
import { isShown, systemFolders, type SandboxEnvironment } from '../programs/sandbox.ts'
import { withLimits } from '../programs/with-limits.ts'

export type RunnerNeeds = {
  readonly config: Config
  readonly nowMs: () => number
  readonly environment: Readonly<Record<string, string | undefined>>
  /** Asked once, when the first command is to be run. */
  readonly findSandbox: (environment: SandboxEnvironment) => Promise<Bubblewrap>
}

type Runner = {
  readonly whyOff: () => Promise<string | null>
  readonly run: (place: CommandPlace, run: CommandRun) => Promise<CommandEnd | string>
}

/** Commands in the sandbox, freely where there is none and that was asked for, or not at all. */
export function createCommandRunner({ config, nowMs, environment, findSandbox }: RunnerNeeds): Runner {
  const { LANG, TZ } = environment
  const own = ownFilesOf(config, nowMs)
  const top = realpathSync(config.root)
  let probing: Promise<{ bubblewrap: Bubblewrap; prlimit: string | null }> | undefined
  const tools = async () => ({
    bubblewrap: await findSandbox({ LANG, TZ }),
    prlimit: await findProgram('prlimit'),
  })

  return {
    async whyOff() {
      if (config.disableExec) return 'commands are switched off'
      const { bubblewrap } = await (probing ??= tools())
      if (bubblewrap.isUsable || config.unsafeExec) return null
      return `there is no sandbox, and --unsafeExec was not given: ${bubblewrap.why}`
    },
    async run(place, run) {
      const { bubblewrap, prlimit } = await (probing ??= tools())
      const most = processLimits(config)
      if (!bubblewrap.isUsable) {
        const limited = withLimits(prlimit, { ...most, processes: null })
        return runFreely(place, { ...run, words: limited(run.words) }, { LANG, TZ })
      }
      const shown = [...systemFolders, place.scope.realPath]
      if (own().folders.some((folder) => isShown(folder, shown))) {
        return "the server's own files lie where the command could see them"
      }
      if (isShown(top, systemFolders) || place.scope.realPath === '/') {
        return 'what is served is a folder of the system itself'
      }
      return runInSandbox({ bubblewrap, withLimits: withLimits(prlimit, most), ...most }, place, run)
    },
  }
}

const mib = 1024 * 1024

function processLimits({ maxUploadSize }: Config) {
  return {
    cpuSeconds: 60,
    memoryBytes: 1024 * mib,
    fileBytes: maxUploadSize === 0 ? 4096 * mib : maxUploadSize,
    processes: 64,
    openFiles: 1024,
  }
}

/** With nothing between the command and the machine: what `--unsafeExec` asks for, where there is no sandbox. */
async function runFreely(
  { folder }: CommandPlace,
  { words, timeMs, signal, onOutput }: CommandRun,
  { LANG = 'C.UTF-8', TZ }: SandboxEnvironment,
): Promise<CommandEnd> {
  const [program = '', ...args] = joined(words)
  const ending = await runProgram({
    program,
    args,
    env: { PATH: trustedPath, HOME: '/tmp', LANG, TZ },
    cwd: folder.realPath,
    timeMs,
    signal,
    leftovers: 'killed',
    onOutput: (bytes) => onOutput(bytes),
  })
  return { ending, why: null }
}
