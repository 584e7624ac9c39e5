import type { AccessRule } from '../../shared/domain/access.ts'
import { isProgramName } from '../../shared/domain/commands/program-names.ts'
import type { User } from '../records/user-store.ts'

/**
 * Returns true when the user's list of commands contains this program. Each entry allows exactly the program of that name.
 */
export const isListedProgram = ({ commands }: Pick<User, 'commands'>, program: string): boolean =>
  isProgramName(program) && commands.includes(program)

/**
 * Returns true when a rule, global or of this user, denies access to any path. The user can then run no command: a sandbox
 * cannot reliably hide paths, because other users may create and rename entries while a command runs.
 */
export const hasDenyingRule = (globalRules: readonly AccessRule[], { rules }: Pick<User, 'rules'>): boolean =>
  [...globalRules, ...rules].some(({ allow }) => !allow)

/** Returns the first word of a command line exactly as the user typed it: quotes and escapes are not parsed. */
export const firstWordOf = (line: string): string => /^[ \t\r\n]*([^ \t\r\n]*)/.exec(line)?.[1] ?? ''
