/** A document without its front matter, and the lines of the front matter as names and values. */
export type MarkdownDocument = {
  readonly body: string
  readonly rows: readonly (readonly [name: string, value: string])[]
}

/** The front matter of a document in YAML, between lines of hyphens, or in TOML, between lines of plus signs. */
const frontMatter =
  /^\uFEFF?(---|\+\+\+)[ \t]*\n((?:(?!\1[ \t]*(?:\n|$)|\.\.\.[ \t]*(?:\n|$))[^\n]*\n)*)(?:\1|\.\.\.)[ \t]*(?:\n|$)/

/** A name and its value in YAML or TOML. */
const namedLine = /^([\w.-]+)[ \t]*[:=][ \t]*(.*)$/

/** The largest number of lines of the table, and the longest name or value, in characters. */
const [maxRows, maxValueLength] = [50, 1000]

/**
 * Separates the front matter at the beginning of a document, which Markdown would read as a heading. A document that begins
 * with a line, and has no names after it, has none.
 */
export function separateFrontMatter(source: string): MarkdownDocument {
  const text = source.replaceAll(/\r\n?/g, '\n')
  const match = frontMatter.exec(text)
  const lines = match?.[2]?.split('\n').filter((line) => line.trim() !== '' && !line.startsWith('#')) ?? []
  if (match === null || (lines[0] !== undefined && !namedLine.test(lines[0]) && !/^[[{]/.test(lines[0])))
    return { body: source, rows: [] }
  return { body: text.slice(match[0].length), rows: rowsOf(lines) }
}

/** Returns the names of the first level. Lines below a name, such as those of a list, belong to its value. */
function rowsOf(lines: readonly string[]): readonly (readonly [string, string])[] {
  const rows: [string, string][] = []
  for (const line of lines) {
    const [, name, value = ''] = namedLine.exec(line) ?? []
    const last = rows.at(-1)
    if (name !== undefined) rows.push([name, withoutQuotes(value.trim())])
    else if (last !== undefined)
      last[1] = `${last[1]} ${line.trim().replace(/^- +/, '')}`.trim().slice(0, maxValueLength)
  }
  return rows
    .slice(0, maxRows)
    .map(([name, value]) => [name.slice(0, maxValueLength), value.slice(0, maxValueLength)])
}

const withoutQuotes = (value: string): string => value.replace(/^(["'])(.*)\1$/, '$2')

/** Draws the front matter as a small table. Its values are shown as they are written. Without rows, the fragment is empty. */
export function drawFrontMatter(rows: MarkdownDocument['rows']): DocumentFragment {
  const content = document.createDocumentFragment()
  if (rows.length === 0) return content
  const body = document.createElement('tbody')
  for (const [name, value] of rows) {
    const row = document.createElement('tr')
    const heading = document.createElement('th')
    heading.scope = 'row'
    const cell = document.createElement('td')
    heading.textContent = name
    cell.textContent = value
    row.append(heading, cell)
    body.append(row)
  }
  const table = document.createElement('table')
  table.append(body)
  content.append(table)
  return content
}
