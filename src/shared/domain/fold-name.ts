/** Returns a name without accents and in lower case, for comparing it with typed letters. */
export const foldName = (name: string): string =>
  name.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase()
