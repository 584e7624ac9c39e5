import { escapeControls, formatLogTime } from '../http/request-log.ts'
import type { Path } from '../../shared/domain/path.ts'

/** The log entry of a user's command line, which ran or was refused. */
export type CommandLogEntry =
  | {
      readonly kind: 'ran'
      readonly user: string
      readonly words: readonly string[]
      readonly path: Path
      /** The reason with which the socket was closed. */
      readonly reason: string
      readonly why: string | null
      readonly durationMs: number
    }
  | {
      readonly kind: 'refused'
      readonly user: string
      readonly line: string
      readonly path: Path
      readonly why: string
    }

/** The maximum number of characters of a command that are logged. */
const maxTextLength = 1000

/**
 * Formats the log line of a command. Colons in values of the user are escaped, so that no log filter mistakes such a
 * value for a line that the server wrote.
 */
export function commandLogLine(format: 'text' | 'json', atMs: number, entry: CommandLogEntry): string {
  const { kind, user, path, why } = entry
  const details =
    entry.kind === 'ran'
      ? { words: truncateWords(entry.words), exit: entry.reason, ms: Math.round(entry.durationMs) }
      : { line: entry.line.slice(0, maxTextLength) }
  const fields = { user, folder: path, ...details, ...(why === null ? {} : { why }) }
  if (format === 'json') return safeJson({ time: new Date(atMs).toISOString(), command: kind, ...fields })
  const pairs = Object.entries(fields).map(([name, value]) => `${name}=${safeJson(value)}`)
  return `${formatLogTime(atMs)} command ${kind} ${pairs.join(' ')}`
}

function truncateWords(words: readonly string[]): readonly string[] {
  let left = maxTextLength
  const logged = words.flatMap((word) => {
    const part = left > 0 ? [word.slice(0, left)] : []
    left -= word.length
    return part
  })
  return left < 0 ? [...logged, '...'] : logged
}

/** Returns JSON in which the colons inside of strings are escaped. */
const safeJson = (value: unknown): string =>
  escapeControls(JSON.stringify(value)).replaceAll(/"(?:[^"\\]|\\.)*"/g, (text) =>
    text.replaceAll(':', '\\u003a'),
  )
