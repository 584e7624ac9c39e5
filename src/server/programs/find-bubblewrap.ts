import { createOutputBuffer } from './output-buffer.ts'
import { findProgram } from './find-program.ts'
import type { ProcessStarter } from './process-starter.ts'
import { runProgram } from './run-program.ts'
import { namespaceArgs, systemArgs, type SandboxEnvironment } from './bubblewrap-args.ts'

/**
 * The result of the search for bubblewrap. `args` contains the first arguments of bubblewrap, which are the same for
 * every command. They are followed by the arguments for the user's scope.
 */
export type BubblewrapSearchResult =
  | { readonly isUsable: true; readonly program: string; readonly args: readonly string[] }
  | { readonly isUsable: false; readonly reason: string }

/**
 * The time limit in milliseconds of one attempt. A working sandbox starts in a small fraction of this time, so only a
 * system on which bubblewrap hangs reaches the limit.
 */
const attemptTimeoutMs = 10_000
/** The maximum number of bytes of bubblewrap's error output that are kept, which is enough for its error message. */
const maxOutputBytes = 1000

/**
 * Searches for bubblewrap and runs a trivial program in a sandbox. Tries one set of namespace arguments after the other
 * until an attempt succeeds. The attempts are necessary because the version of bubblewrap does not show whether the
 * system allows sandboxes.
 */
export async function findBubblewrap(
  start: ProcessStarter,
  environment: SandboxEnvironment,
): Promise<BubblewrapSearchResult> {
  const program = await findProgram('bwrap')
  const trivialProgram = await findProgram('true')
  if (program === null || trivialProgram === null) {
    return { isUsable: false, reason: 'the program bwrap (bubblewrap) is not installed' }
  }
  const system = await systemArgs(environment)
  let reason = ''
  for (const namespaces of namespaceArgs) {
    const words = [...namespaces, ...system]
    const output = createOutputBuffer(maxOutputBytes)
    const ending = await runProgram(start, {
      program,
      args: [...words, '--', trivialProgram],
      env: {},
      cwd: '/',
      timeMs: attemptTimeoutMs,
      leftoverProcesses: 'killed',
      onOutput: (bytes) => void output.append(bytes),
    })
    if (ending.kind === 'exited' && ending.status === 0) return { isUsable: true, program, args: words }
    reason = output.text().trim() || `bubblewrap failed: ${ending.kind}`
  }
  return { isUsable: false, reason }
}
