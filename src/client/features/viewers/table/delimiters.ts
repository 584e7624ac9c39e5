/** The characters that may separate the cells of a table. */
export const delimiters = [',', ';', '\t', '|'] as const
