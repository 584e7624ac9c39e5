import type { Socket } from '../http/socket-route.ts'
import { findProgram } from '../programs/find-program.ts'
import type { CommandEnd, CommandPlace, CommandRun } from '../programs/run-in-sandbox.ts'
import { splitWords } from '../programs/split-words.ts'
import { inTurn, type Turns } from '../turns/turns.ts'
import { codeOf } from '../../shared/domain/failure.ts'
import type { Path } from '../../shared/domain/path.ts'
import type { CommandLimits } from './command-limits.ts'
import type { CommandNote } from './command-note.ts'
import { outputTo } from './output-to.ts'
import { placeOf } from './place-of.ts'
import { firstWordOf, refusalOf, type Reach } from './refusal-of.ts'
import { reasonOf } from './reason-of.ts'
import { untilRightsChange } from './until-rights-change.ts'

/** Runs a command; gives why, where it may not be run in this place. */
export type RunCommand = (place: CommandPlace, run: CommandRun) => Promise<CommandEnd | string>

/** What the shell needs of the rest of the server. */
export type ShellNeeds = {
  /** What a person may reach now; null when the person is gone. */
  readonly reachOf: (userId: number) => Promise<Reach | null>
  /** Why nobody may run anything; null where commands are run. */
  readonly whyOff: () => Promise<string | null>
  readonly run: RunCommand
  readonly turns: Turns
  readonly limits: CommandLimits
  readonly note: (note: CommandNote) => void
  readonly nowMs: () => number
}

/** One line that somebody sent, and where. */
export type SentLine = {
  readonly userId: number
  readonly path: Path
  readonly line: string
  readonly socket: Socket
  /** The socket is gone, or the server stops. */
  readonly signal: AbortSignal
}

/** Runs a line for its sender, who is told of everything in texts (contract 12.1); gives the reason with which the socket is closed. */
export async function runLine(needs: ShellNeeds, sent: SentLine): Promise<string> {
  const { line, socket, userId } = sent
  const program = firstWordOf(line)
  const reach = await needs.reachOf(userId)
  const refusal = (await needs.whyOff()) ?? refusalOf(reach, program)
  if (reach === null || refusal !== null) return refused(needs, sent, { reach, why: refusal })
  const split = splitWords(line)
  if (split.kind === 'broken') {
    socket.send(`error parsing command: ${split.why}`)
    return ''
  }
  const file = await findProgram(program)
  if (file === null) {
    socket.send(`exec: ${JSON.stringify(program)}: executable file not found in $PATH`)
    return ''
  }
  const turn = { turns: needs.turns, line: userId, signal: sent.signal }
  return inTurn(turn, () => runWords(needs, sent, { file, words: split.words }))
}

function refused(
  { note }: ShellNeeds,
  { line, path, socket }: SentLine,
  { reach, why }: { readonly reach: Reach | null; readonly why: string | null },
): string {
  socket.send('Command not allowed.')
  note({ kind: 'refused', user: reach?.user.username ?? '', line, path, why: why ?? '' })
  return ''
}

type Words = { readonly file: string; readonly words: readonly string[] }

/** Its sender may have waited: everything is judged as it is now. */
async function runWords(needs: ShellNeeds, sent: SentLine, { file, words }: Words): Promise<string> {
  const [program = '', ...args] = words
  const { userId, path, socket } = sent
  const reach = await needs.reachOf(userId)
  const refusal = refusalOf(reach, program)
  if (reach === null || refusal !== null) return refused(needs, sent, { reach, why: refusal })
  const place = await placeOf(reach, path).catch((error: unknown) => missing(error))
  if (place === null) return ''

  const rights = untilRightsChange(needs, { userId, program, reach })
  const output = outputTo(needs, socket)
  const startMs = needs.nowMs()
  try {
    const signal = AbortSignal.any([sent.signal, rights.signal])
    const { timeMs } = needs.limits
    const ended = await needs.run(place, { words: [file, ...args], timeMs, signal, onOutput: output.take })
    if (typeof ended === 'string') return refused(needs, sent, { reach, why: ended })
    await output.end()
    const reason = reasonOf(ended)
    const durationMs = needs.nowMs() - startMs
    const user = reach.user.username
    needs.note({ kind: 'ran', user, words, path, reason, why: ended.why, durationMs })
    return reason
  } finally {
    rights.end()
  }
}

/** Nothing is told of a folder that is not there, or that may not be known. */
function missing(error: unknown): null {
  const code = codeOf(error)
  if (code === 'not-found' || code === 'not-a-folder' || code === 'forbidden' || code === 'link-loop')
    return null
  throw error
}
