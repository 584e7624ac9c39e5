/**
 * Returns the other spellings of a name that look the same: with composed letters (Unicode NFC), as most programs write
 * them, and with decomposed ones (NFD), as macOS does. Empty for most names.
 */
export const twinsOf = (name: string): readonly string[] =>
  ['NFC', 'NFD'].map((form) => name.normalize(form)).filter((twin) => twin !== name)
