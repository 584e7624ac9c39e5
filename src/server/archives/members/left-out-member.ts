import type { Loss, LossKind } from '../../../shared/domain/losses.ts'
import type { MemberChunk } from './member.ts'
import type { MemberNamer } from './member-names.ts'

/** The number of paths of each kind that the text lists. A text with this many long paths has a few megabytes. */
export const listedLosses = 1000

const reasons: Readonly<Partial<Record<LossKind, string>>> = {
  special: 'is a pipe, a socket or a device',
}

/**
 * Returns a text file, as the last member of an archive, that lists what the archive lacks. Programs that unpack archives
 * cannot show a message of the server, so people find the list among the files. Returns nothing when nothing is missing.
 */
export function leftOutMember(losses: readonly Loss[], nameOf: MemberNamer): readonly MemberChunk[] {
  if (losses.length === 0) return []
  const bytes = Buffer.from(
    `This archive is not complete. The server left out:\n\n${losses.map(linesOf).join('')}`,
  )
  const member = {
    name: nameOf('_left out.txt', 'file'),
    kind: 'file',
    sizeBytes: bytes.length,
    modifiedMs: Date.now(),
    permissions: 0o644,
  } as const
  return [
    { kind: 'member', member },
    { kind: 'bytes', bytes },
  ]
}

function linesOf({ kind, count, paths }: Loss): string {
  const reason = reasons[kind] ?? 'the server cannot read it'
  const more = count - paths.length
  const lines = paths.map((path) => `${oneLine(path)} (${reason})\n`)
  return lines.join('') + (more > 0 ? `and ${more} more (${reason})\n` : '')
}

/** Replaces the characters with which a name could begin a new line of the text, or change the direction of a line. */
const oneLine = (path: string): string =>
  path.replaceAll(/[\u0000-\u001F\u007F-\u009F\u2028-\u202E\u2066-\u2069]/g, '\uFFFD')
