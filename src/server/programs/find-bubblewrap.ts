import { createOutputBuffer } from './output-buffer.ts'
import { findProgram } from './find-program.ts'
import { runProgram } from './run-program.ts'
import { namespaceArgs, systemArgs, type SandboxEnvironment } from './bubblewrap-args.ts'

/**
 * The result of the search for bubblewrap. `args` are its first arguments, which are the same for every command; the
 * arguments for the user's scope follow them.
 */
export type Bubblewrap =
  | { readonly isUsable: true; readonly program: string; readonly args: readonly string[] }
  | { readonly isUsable: false; readonly reason: string }

/** The time limit in milliseconds of one attempt; a working sandbox starts far faster. */
const probeMs = 10_000
/** The size in bytes up to which an error text of bubblewrap is kept. */
const maxOutputBytes = 1000

/**
 * Looks for bubblewrap and runs a program in a sandbox, with one set of namespace arguments after the other until one
 * works. Only an attempt shows whether the system allows sandboxes; the version of bubblewrap does not.
 */
export async function findBubblewrap(environment: SandboxEnvironment): Promise<Bubblewrap> {
  const program = await findProgram('bwrap')
  const emptyProgram = await findProgram('true')
  if (program === null || emptyProgram === null) {
    return { isUsable: false, reason: 'the program bwrap (bubblewrap) is not installed' }
  }
  const system = await systemArgs(environment)
  let reason = ''
  for (const namespaces of namespaceArgs) {
    const words = [...namespaces, ...system]
    const output = createOutputBuffer(maxOutputBytes)
    const ending = await runProgram({
      program,
      args: [...words, '--', emptyProgram],
      env: {},
      cwd: '/',
      timeMs: probeMs,
      leftoverProcesses: 'killed',
      onOutput: (bytes) => void output.append(bytes),
    })
    if (ending.kind === 'exited' && ending.status === 0) return { isUsable: true, program, args: words }
    reason = output.text().trim() || `bubblewrap failed: ${ending.kind}`
  }
  return { isUsable: false, reason }
}
