/**
 * Returns true for a text that names a program: neither a path nor a pattern. Only such an entry of a user's list of commands
 * allows anything, because File Browser interprets entries as regular expressions (contract 12.1).
 */
export const isProgramName = (name: string): boolean => /^[\p{L}\p{N}_][\p{L}\p{N}_.+@-]*$/u.test(name)
