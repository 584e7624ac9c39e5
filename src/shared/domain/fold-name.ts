/**
 * Returns a name without accents and in lower case, for comparing it with typed letters. Only the characters outside of
 * ASCII are decomposed, because most names have few of them, and a search compares millions of names.
 */
export const foldName = (name: string): string =>
  name.replaceAll(/[^\0-\x7f]+/g, (part) => part.normalize('NFD').replaceAll(/\p{M}/gu, '')).toLowerCase()
