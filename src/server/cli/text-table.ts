/** Columns with two spaces between them; control characters of stored texts don't reach the terminal. */
export function textTable(rows: readonly (readonly string[])[]): string {
  const plain = rows.map((row) => row.map((cell) => cell.replaceAll(/[\u0000-\u001f\u007f-\u009f]/g, '?')))
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
