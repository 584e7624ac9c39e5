import { UsageError } from './usage-error.ts'

/** The texts of a configuration file by dotted key. */
export type FlatFile = ReadonlyMap<string, string>

/**
 * Parses a configuration file. The file extension decides the format. Throws `UsageError` when the file cannot be
 * parsed; the message contains the line number where the parser reports a line number.
 */
export function parseFlatFile(file: string, content: string): FlatFile {
  const ending = file.slice(file.lastIndexOf('.') + 1).toLowerCase()
  const plain = content.replace(/^\ufeff/, '')
  if (ending === 'json') return parseJson(file, plain)
  if (ending === 'yaml' || ending === 'yml') return parseYaml(file, plain)
  if (ending === 'toml') return parseToml(file, plain)
  throw new UsageError(`${file}: a configuration file ends in .json, .toml, .yaml or .yml`)
}

function parseJson(file: string, content: string): FlatFile {
  const texts = new Map<string, string>()
  let parsed: unknown
  try {
    parsed = JSON.parse(content)
  } catch (cause) {
    throw new UsageError(`${file}: not valid JSON: ${(cause as Error).message}`, { cause })
  }
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed))
    throw new UsageError(`${file}: not a JSON object`)
  flatten(parsed, '', texts)
  return texts
}

function flatten(members: object, prefix: string, texts: Map<string, string>): void {
  for (const [key, value] of Object.entries(members) as [string, unknown][]) {
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      flatten(value, `${prefix}${key}.`, texts)
    else if (value !== null) texts.set(prefix + key, typeof value === 'string' ? value : scalarText(value))
  }
}

/** Returns the text of a value: numbers and booleans in JSON notation, and lists as texts separated by commas. */
const scalarText = (value: unknown): string =>
  Array.isArray(value)
    ? value.map((part) => (typeof part === 'string' ? part : JSON.stringify(part))).join(',')
    : JSON.stringify(value)

/** Parses the subset of YAML that configuration files use: keys nested by indentation, with one value per line. */
function parseYaml(file: string, content: string): FlatFile {
  const texts = new Map<string, string>()
  const above: { readonly indent: number; readonly key: string }[] = []
  for (const { line, number } of significantLines(content)) {
    if (/^(---|\.\.\.)\s*$/.test(line)) continue
    const parts = /^( *)(?:"([^"]+)"|'([^']+)'|([\w.-]+))\s*:(?:\s+(.*))?$/.exec(line)
    if (!parts) throw new UsageError(`${file}: line ${number} cannot be read: one \`key: value\` a line`)
    const [, indent = '', quoted, single, bare, value = ''] = parts
    while ((above.at(-1)?.indent ?? -1) >= indent.length) above.pop()
    const key = [...above.map(({ key }) => key), quoted ?? single ?? bare ?? ''].join('.')
    const text = scalarOf(value)
    if (text === '') above.push({ indent: indent.length, key: quoted ?? single ?? bare ?? '' })
    else if (text !== '~' && text !== 'null') texts.set(key, unquoted(text))
  }
  return texts
}

/** Parses the subset of TOML that configuration files use: tables, with one value per line. */
function parseToml(file: string, content: string): FlatFile {
  const texts = new Map<string, string>()
  let prefix = ''
  for (const { line, number } of significantLines(content)) {
    const table = /^\s*\[([\w.-]+)\]\s*(#.*)?$/.exec(line)?.[1]
    const [, key, value = ''] = /^\s*"?([\w.-]+)"?\s*=\s*(.*)$/.exec(line) ?? []
    if (table !== undefined) prefix = `${table}.`
    else if (key !== undefined && scalarOf(value) !== '') texts.set(prefix + key, unquoted(scalarOf(value)))
    else throw new UsageError(`${file}: line ${number} cannot be read: one \`key = value\` a line`)
  }
  return texts
}

/** Returns the lines that are neither blank nor comments, with their numbers. */
const significantLines = (content: string) =>
  content
    .split(/\r?\n/)
    .map((line, at) => ({ line, number: at + 1 }))
    .filter(({ line }) => line.trim() !== '' && !line.trimStart().startsWith('#'))

/** Returns a value without its trailing comment. */
const scalarOf = (value: string): string =>
  (
    /^("(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|\[[^\]]*\])\s*(#.*)?$/.exec(value)?.[1] ??
    value.replace(/(^|\s)#.*$/, '')
  ).trim()

/** Returns a value without its quotation marks. A list becomes texts separated by commas. */
function unquoted(text: string): string {
  if (text.startsWith('[') && text.endsWith(']'))
    return text
      .slice(1, -1)
      .split(',')
      .map((part) => unquoted(part.trim()))
      .join(',')
  if (text.length > 1 && text.startsWith('"') && text.endsWith('"')) return withoutEscapes(text)
  if (text.length > 1 && text.startsWith("'") && text.endsWith("'"))
    return text.slice(1, -1).replaceAll("''", "'")
  return text
}

/**
 * Returns the content of a text in double quotation marks with its escape sequences replaced. A text that is not valid
 * JSON keeps its escape sequences.
 */
function withoutEscapes(text: string): string {
  try {
    return String(JSON.parse(text))
  } catch {
    return text.slice(1, -1)
  }
}
