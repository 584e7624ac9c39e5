import { createKeptOutput } from './kept-output.ts'
import { findProgram } from './find-program.ts'
import { runProgram } from './run-program.ts'
import { namespaces, systemWords, type SandboxEnvironment } from './sandbox.ts'

/** Bubblewrap that works here, with the first of its words: everything but the scope. */
export type Bubblewrap =
  | { readonly isUsable: true; readonly program: string; readonly words: readonly string[] }
  | { readonly isUsable: false; readonly why: string }

const probeMs = 10_000
const mostSaidBytes = 1000

/** Tried by running something in it: whether a system lets a sandbox be made cannot be told from a version. */
export async function findBubblewrap(environment: SandboxEnvironment): Promise<Bubblewrap> {
  const program = await findProgram('bwrap')
  const nothing = await findProgram('true')
  if (program === null || nothing === null) {
    return { isUsable: false, why: 'the program bwrap (bubblewrap) is not there' }
  }
  const system = await systemWords(environment)
  let why = ''
  for (const way of namespaces) {
    const words = [...way, ...system]
    const output = createKeptOutput(mostSaidBytes)
    const ending = await runProgram({
      program,
      args: [...words, '--', nothing],
      env: {},
      cwd: '/',
      timeMs: probeMs,
      leftovers: 'killed',
      onOutput: (bytes) => void output.take(bytes),
    })
    if (ending.kind === 'exited' && ending.status === 0) return { isUsable: true, program, words }
    why = output.text().trim() || `bubblewrap did not end well: ${ending.kind}`
  }
  return { isUsable: false, why }
}
