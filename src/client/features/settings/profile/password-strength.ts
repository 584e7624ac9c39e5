export type PasswordStrength = 'weak' | 'fair' | 'good' | 'strong'

/** The sizes of the character sets that passwords are drawn from, in characters. */
const characterSets: readonly (readonly [RegExp, number])[] = [
  [/\p{Ll}/u, 26],
  [/\p{Lu}/u, 26],
  [/\p{N}/u, 10],
  [/[^\p{L}\p{N}]/u, 33],
]

/**
 * Estimates how hard a password is to guess, from its length, its kinds of characters and its repetitions. It is only
 * an advice while the user types. The server decides which passwords are allowed, and it also knows common passwords.
 */
export function passwordStrength(password: string): PasswordStrength {
  const characters = Array.from(password)
  const pool = characterSets.reduce((sum, [set, size]) => sum + (set.test(password) ? size : 0), 0)
  // Repeated characters add little: each distinct character counts at most three times.
  const counted = Math.min(characters.length, new Set(characters).size * 3)
  const bits = counted * Math.log2(Math.max(pool, 2))
  if (bits < 45) return 'weak'
  if (bits < 65) return 'fair'
  return bits < 90 ? 'good' : 'strong'
}
