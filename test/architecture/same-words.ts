/** English texts that are right in every language as they are: names of formats, of products, and of symbols. */
export const sameEverywhere: readonly string[] = []

/** English texts that are right in a language as they are, because the language has the same word. */
export const sameWords: Readonly<Record<string, readonly string[]>> = {}
