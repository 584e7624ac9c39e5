import { access, realpath } from 'node:fs/promises'
import { createRequire } from 'node:module'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { sandboxPipes } from '../programs/bubblewrap-args.ts'
import type { BubblewrapSearchResult } from '../programs/find-bubblewrap.ts'
import { createOutputBuffer } from '../programs/output-buffer.ts'
import type { ProcessStarter } from '../programs/process-starter.ts'
import { runProgram } from '../programs/run-program.ts'
import { smallMemoryOptions } from './conversion.ts'
import { createRetryingSearch } from './retrying-search.ts'

/** The command that starts a converter process. Its standard input and output are pipes. */
export type ConverterCommand = {
  /** The program and its arguments. The first word is an absolute path. */
  readonly words: readonly string[]
  /** True when bubblewrap starts the process. It then writes to the pipe `sandboxPipes.info`. */
  readonly isSandboxed: boolean
}

/**
 * The complete environment of a converter process, which inherits no variables from the server. Few threads and a
 * single malloc arena keep the memory use low, because freed memory is reused. `VIPS_BLOCK_UNTRUSTED` makes libvips
 * block the operations that are unsafe for untrusted input.
 */
export const converterEnvironment = {
  UV_THREADPOOL_SIZE: '1',
  MALLOC_ARENA_MAX: '1',
  VIPS_BLOCK_UNTRUSTED: '1',
}

/**
 * The time limit in milliseconds of the attempt to start the process in a sandbox. It usually takes 0.2 s, and several seconds
 * where memory is so small that the programs have to be read from the disk again.
 */
const attemptMs = 20_000

/** The maximum number of bytes of error output that are kept as the reason of a failed attempt. */
const maxReasonBytes = 1000

export type ConverterCommandDependencies = {
  readonly start: ProcessStarter
  /** The module that converts images. */
  readonly entry: URL
  readonly findSandbox: () => Promise<BubblewrapSearchResult>
  /** True when the process should have a small heap, and read its program page by page. */
  readonly isMemorySmall: boolean
  readonly nowMs: () => number
  /** Called with the reason each time that images are converted without a sandbox from now on. */
  readonly onUnsandboxed: (reason: string) => void
}

/**
 * Creates the function that returns the command for the module `entry`. In a sandbox, the process sees the programs of the
 * system, its own code and the packages beside it, but no file of a user or of the server's state, no network and no other
 * process. Where the sandbox does not work, or not with this code, the process has the rights of the server, the administrator
 * is told, and the sandbox is tried again after a while.
 */
export function createConverterCommand({
  start,
  entry,
  findSandbox,
  isMemorySmall,
  nowMs,
  onUnsandboxed,
}: ConverterCommandDependencies): () => Promise<ConverterCommand> {
  const plain = [process.execPath, ...(isMemorySmall ? smallMemoryOptions : []), fileURLToPath(entry)]
  const withoutSandbox = (reason: string): ConverterCommand => {
    onUnsandboxed(reason)
    return { words: plain, isSandboxed: false }
  }
  const search = async (): Promise<ConverterCommand> => {
    const sandbox = await findSandbox()
    if (!sandbox.isUsable) return withoutSandbox(sandbox.reason)
    const words = [sandbox.program, ...sandbox.args, ...(await sandboxArgs(entry))]
    const failure = await failureOfStart(start, [...words, '--', ...plain])
    if (failure !== null) return withoutSandbox(failure)
    return {
      words: [...words, '--info-fd', String(sandboxPipes.info), '--', ...plain],
      isSandboxed: true,
    }
  }
  return createRetryingSearch({ search, isGood: ({ isSandboxed }) => isSandboxed, nowMs })
}

/**
 * Runs the process without a request. Returns null when it loads the image library and ends at the end of its input, and
 * otherwise the reason.
 */
async function failureOfStart(
  start: ProcessStarter,
  [program = '', ...args]: readonly string[],
): Promise<string | null> {
  const output = createOutputBuffer(maxReasonBytes)
  const ending = await runProgram(start, {
    program,
    args,
    env: {},
    cwd: '/',
    timeMs: attemptMs,
    leftoverProcesses: 'killed',
    onOutput: (bytes) => void output.append(bytes),
  })
  if (ending.kind === 'exited' && ending.status === 0) return null
  const [line = ''] = output.text().trim().split('\n')
  return `the image library does not start in it: ${line || ending.kind}`
}

/** Returns bubblewrap's arguments for the files and the environment of the process. */
async function sandboxArgs(entry: URL): Promise<readonly string[]> {
  const files = [process.execPath, ...(await programFiles(fileURLToPath(entry)))]
  const real = await Promise.all(files.map((file) => realpath(file).catch(() => file)))
  return [
    ...[...new Set([...files, ...real])].flatMap((file) => ['--ro-bind-try', file, file]),
    '--clearenv',
    ...Object.entries(converterEnvironment).flatMap(([name, value]) => ['--setenv', name, value]),
    '--remount-ro',
    '/',
    '--chdir',
    '/',
  ]
}

/** Returns the files and folders that a module of this program needs: its folder, the code, and the packages of the image library. */
async function programFiles(file: string): Promise<readonly string[]> {
  const root = await packageRoot(path.dirname(file))
  if (root === null) return [path.dirname(file)]
  const code = ['package.json', 'dist', 'src'].map((name) => path.join(root, name))
  return [...code, ...packageFolders(file)]
}

/** Returns the nearest folder above that is a package. */
async function packageRoot(folder: string): Promise<string | null> {
  const hasPackage = await access(path.join(folder, 'package.json')).then(
    () => true,
    () => false,
  )
  if (hasPackage) return folder
  const parent = path.dirname(folder)
  return parent === folder ? null : packageRoot(parent)
}

/** Returns the outermost folder `node_modules` in which the image library is installed. It contains nothing but packages. */
function packageFolders(file: string): readonly string[] {
  try {
    const [before] = createRequire(file).resolve('sharp').split(`${path.sep}node_modules${path.sep}`)
    return before === undefined ? [] : [path.join(before, 'node_modules')]
  } catch {
    return []
  }
}
