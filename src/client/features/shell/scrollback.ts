import type { Path } from '../../../shared/domain/path.ts'
import type { CommandEnd } from './run-command.ts'

/** A command line that the user has run, with its output so far. */
export type ShellEntry = {
  readonly id: number
  readonly folder: Path
  readonly line: string
  readonly output: string
  /** Null while the command runs. */
  readonly end:
    | CommandEnd
    | { readonly kind: 'unreachable' }
    /** The page has run the command itself. */
    | { readonly kind: 'answered'; readonly isFailure: boolean }
    | null
}

/** The maximum number of characters of output that the shell keeps. Browsers lay out more text than this slowly. */
export const maxCharacters = 500_000
const maxEntries = 200

/**
 * Replaces control characters, and characters that change the direction of the text around them, so that output cannot
 * look like something else. The server has removed control sequences before.
 */
export const sanitizeOutput = (text: string): string =>
  text.replaceAll(
    /[\u0000-\u0008\u000a-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g,
    '\ufffd',
  )

/** Appends lines to the output of an entry. The oldest output is dropped when the shell would keep too much. */
export function withOutput(
  entries: readonly ShellEntry[],
  id: number,
  lines: readonly string[],
): readonly ShellEntry[] {
  const text = lines.map((line) => `${sanitizeOutput(line)}\n`).join('')
  return bounded(
    entries.map((entry) => (entry.id === id ? { ...entry, output: entry.output + text } : entry)),
  )
}

function bounded(entries: readonly ShellEntry[]): readonly ShellEntry[] {
  let room = maxCharacters
  return entries
    .slice(-maxEntries)
    .toReversed()
    .map((entry) => {
      const kept = room >= entry.output.length ? entry.output : lastLines(entry.output, room)
      room -= kept.length
      return kept === entry.output ? entry : { ...entry, output: kept }
    })
    .toReversed()
}

/** Returns the end of a text, from the beginning of a line, of at most `characters` characters. */
function lastLines(text: string, characters: number): string {
  const tail = characters <= 0 ? '' : text.slice(-characters)
  return tail.slice(tail.indexOf('\n') + 1)
}
