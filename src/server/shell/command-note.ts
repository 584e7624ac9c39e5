import { escapeControls, stamp } from '../http/request-log.ts'
import type { Path } from '../../shared/domain/path.ts'

/** What is remembered of a line that somebody sent. */
export type CommandNote =
  | {
      readonly kind: 'ran'
      readonly user: string
      readonly words: readonly string[]
      readonly path: Path
      /** As the socket was closed with it. */
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

const mostText = 1000

/** One line of the log for each command. A colon of the person's is spelled out, so that no filter takes theirs for one of ours. */
export function commandLine(format: 'text' | 'json', atMs: number, note: CommandNote): string {
  const { kind, user, path, why } = note
  const told =
    note.kind === 'ran'
      ? { words: shortened(note.words), exit: note.reason, ms: Math.round(note.durationMs) }
      : { line: note.line.slice(0, mostText) }
  const facts = { user, folder: path, ...told, ...(why === null ? {} : { why }) }
  if (format === 'json') return safe({ time: new Date(atMs).toISOString(), command: kind, ...facts })
  const pairs = Object.entries(facts).map(([name, value]) => `${name}=${safe(value)}`)
  return `${stamp(atMs)} command ${kind} ${pairs.join(' ')}`
}

function shortened(words: readonly string[]): readonly string[] {
  let room = mostText
  const kept = words.flatMap((word) => {
    const part = room > 0 ? [word.slice(0, room)] : []
    room -= word.length
    return part
  })
  return room < 0 ? [...kept, '...'] : kept
}

/** JSON, with the colons inside its texts spelled out. */
const safe = (value: unknown): string =>
  escapeControls(JSON.stringify(value)).replaceAll(/"(?:[^"\\]|\\.)*"/g, (text) =>
    text.replaceAll(':', '\\u003a'),
  )
