import type { User } from '../records/port.ts'
import type { Storage } from '../storage/port.ts'

/** What a person may reach at this moment. */
export type Reach = {
  readonly user: User
  readonly storage: Storage
  /** Whether some rule, for everybody or for them, denies anything. */
  readonly hasDenials: boolean
}

/**
 * Why a person may not run this program now; null when they may. An entry of their list allows exactly its own word; one with a slash
 * or with the characters of patterns allows nothing: the original read them as expressions (contract 12.1).
 */
export function refusalOf(reach: Reach | null, program: string): string | null {
  if (reach === null || reach.user.isDisabled) return 'there is no such user any more'
  if (!reach.user.perm.execute) return 'the user may not execute'
  if (!isProgramName(program) || !reach.user.commands.includes(program)) return 'it is not on their list'
  // What rules deny cannot be kept out of a sandbox for sure, while others rename and make what lies in it.
  return reach.hasDenials ? 'rules deny them some of their files, which a command could see' : null
}

/** Writing is all or nothing: a program that may make files could not be kept from replacing them. */
export const mayWrite = ({ user: { perm } }: Reach): boolean =>
  perm.create && perm.modify && perm.delete && perm.rename

/** The first word of a line, before anything is parsed. */
export const firstWordOf = (line: string): string => /^[ \t\r\n]*([^ \t\r\n]*)/.exec(line)?.[1] ?? ''

const isProgramName = (name: string): boolean => /^[\p{L}\p{N}_][\p{L}\p{N}_.+@-]*$/u.test(name)
