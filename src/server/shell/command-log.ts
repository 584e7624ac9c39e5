import { escapeControls, formatLogTime } from '../http/request-log.ts'
import type { Path } from '../../shared/domain/path.ts'

/** The log entry for a command line that a user has run, or that the server has refused. */
export type CommandLogEntry = {
  readonly userId: number
  readonly sessionId: string
  readonly address: string
} & (
  | {
      readonly kind: 'ran'
      readonly user: string
      readonly words: readonly string[]
      readonly path: Path
      /** The close reason that was sent on the socket. */
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
)

/** The maximum number of characters of a command in the line of the log. */
const maxTextLength = 1000

/**
 * Formats the log line of a command. Colons in values that the user controls are escaped, because a log filter could
 * otherwise mistake a value for a log line of the server.
 */
export function commandLogLine(format: 'text' | 'json', atMs: number, entry: CommandLogEntry): string {
  const { kind, user, path } = entry
  const fields = { user, folder: path, ...commandFields(truncated(entry)) }
  if (format === 'json') return safeJson({ time: new Date(atMs).toISOString(), command: kind, ...fields })
  const pairs = Object.entries(fields).map(([name, value]) => `${name}=${safeJson(value)}`)
  return `${formatLogTime(atMs)} command ${kind} ${pairs.join(' ')}`
}

/** Returns the fields of a log entry that tell about the command. */
export function commandFields(entry: CommandLogEntry) {
  const why = entry.why === null ? {} : { why: entry.why }
  return entry.kind === 'ran'
    ? { words: entry.words, exit: entry.reason, ms: Math.round(entry.durationMs), ...why }
    : { line: entry.line, ...why }
}

const truncated = (entry: CommandLogEntry): CommandLogEntry =>
  entry.kind === 'ran'
    ? { ...entry, words: truncateWords(entry.words) }
    : { ...entry, line: entry.line.slice(0, maxTextLength) }

function truncateWords(words: readonly string[]): readonly string[] {
  let left = maxTextLength
  const logged = words.flatMap((word) => {
    const part = left > 0 ? [word.slice(0, left)] : []
    left -= word.length
    return part
  })
  return left < 0 ? [...logged, '...'] : logged
}

/** Returns the JSON of a value, with the colons inside strings escaped. */
const safeJson = (value: unknown): string =>
  escapeControls(JSON.stringify(value)).replaceAll(/"(?:[^"\\]|\\.)*"/g, (text) =>
    text.replaceAll(':', '\\u003a'),
  )
