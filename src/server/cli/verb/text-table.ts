/** Replaces the control characters of a stored text with question marks, so that they do not reach the terminal. */
export const plainText = (text: string): string => text.replaceAll(/[\u0000-\u001f\u007f-\u009f]/g, '?')

/** Formats rows as columns, which are separated by two spaces. Control characters are replaced with question marks. */
export function textTable(rows: readonly (readonly string[])[]): string {
  const plain = rows.map((row) => row.map(plainText))
  const widths = (plain[0] ?? []).map((_, at) =>
    Math.max(...plain.map((row) => Array.from(row[at] ?? '').length)),
  )
  return plain
    .map((row) =>
      row
        .map((cell, at) => cell + ' '.repeat((widths[at] ?? 0) - Array.from(cell).length))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}
