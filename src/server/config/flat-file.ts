import { CallError } from './call-error.ts'

/** Texts by dotted key, as a configuration file gives them. */
export type FlatFile = ReadonlyMap<string, string>

/** Reads a configuration file by the ending of its name. `CallError` with the line where it cannot be read. */
export function parseFlatFile(file: string, content: string): FlatFile {
  const ending = file.slice(file.lastIndexOf('.') + 1).toLowerCase()
  const plain = content.replace(/^\ufeff/, '')
  if (ending === 'json') return parseJson(file, plain)
  if (ending === 'yaml' || ending === 'yml') return parseYaml(file, plain)
  if (ending === 'toml') return parseToml(file, plain)
  throw new CallError(`${file}: a configuration file ends in .json, .toml, .yaml or .yml`)
}

function parseJson(file: string, content: string): FlatFile {
  const texts = new Map<string, string>()
  let parsed: unknown
  try {
    parsed = JSON.parse(content)
  } catch (cause) {
    throw new CallError(`${file}: no JSON: ${(cause as Error).message}`, { cause })
  }
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed))
    throw new CallError(`${file}: no JSON object`)
  flatten(parsed, '', texts)
  return texts
}

function flatten(members: object, prefix: string, texts: Map<string, string>): void {
  for (const [key, value] of Object.entries(members) as [string, unknown][]) {
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      flatten(value, `${prefix}${key}.`, texts)
    else if (value !== null) texts.set(prefix + key, typeof value === 'string' ? value : listed(value))
  }
}

/** Numbers and switches as they are written, lists by comma. */
const listed = (value: unknown): string =>
  Array.isArray(value)
    ? value.map((part) => (typeof part === 'string' ? part : JSON.stringify(part))).join(',')
    : JSON.stringify(value)

/** The part of YAML that configurations of this kind are written in: nested keys by indentation, one value a line. */
function parseYaml(file: string, content: string): FlatFile {
  const texts = new Map<string, string>()
  const above: { readonly indent: number; readonly key: string }[] = []
  for (const { line, number } of meaningful(content)) {
    if (/^(---|\.\.\.)\s*$/.test(line)) continue
    const parts = /^( *)(?:"([^"]+)"|'([^']+)'|([\w.-]+))\s*:(?:\s+(.*))?$/.exec(line)
    if (!parts) throw new CallError(`${file}: line ${number} cannot be read: one \`key: value\` a line`)
    const [, indent = '', quoted, single, bare, value = ''] = parts
    while ((above.at(-1)?.indent ?? -1) >= indent.length) above.pop()
    const key = [...above.map(({ key }) => key), quoted ?? single ?? bare ?? ''].join('.')
    const text = scalarOf(value)
    if (text === '') above.push({ indent: indent.length, key: quoted ?? single ?? bare ?? '' })
    else if (text !== '~' && text !== 'null') texts.set(key, unquoted(text))
  }
  return texts
}

/** The part of TOML that configurations of this kind are written in: tables, one value a line. */
function parseToml(file: string, content: string): FlatFile {
  const texts = new Map<string, string>()
  let prefix = ''
  for (const { line, number } of meaningful(content)) {
    const table = /^\s*\[([\w.-]+)\]\s*(#.*)?$/.exec(line)?.[1]
    const [, key, value = ''] = /^\s*"?([\w.-]+)"?\s*=\s*(.*)$/.exec(line) ?? []
    if (table !== undefined) prefix = `${table}.`
    else if (key !== undefined && scalarOf(value) !== '') texts.set(prefix + key, unquoted(scalarOf(value)))
    else throw new CallError(`${file}: line ${number} cannot be read: one \`key = value\` a line`)
  }
  return texts
}

const meaningful = (content: string) =>
  content
    .split(/\r?\n/)
    .map((line, at) => ({ line, number: at + 1 }))
    .filter(({ line }) => line.trim() !== '' && !line.trimStart().startsWith('#'))

/** A value without the comment behind it. */
const scalarOf = (value: string): string =>
  (
    /^("(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|\[[^\]]*\])\s*(#.*)?$/.exec(value)?.[1] ??
    value.replace(/(^|\s)#.*$/, '')
  ).trim()

/** Quotation marks away; a list becomes one by comma. */
function unquoted(text: string): string {
  if (text.startsWith('[') && text.endsWith(']'))
    return text
      .slice(1, -1)
      .split(',')
      .map((part) => unquoted(part.trim()))
      .join(',')
  if (text.length > 1 && text.startsWith('"') && text.endsWith('"')) return escapesRead(text)
  if (text.length > 1 && text.startsWith("'") && text.endsWith("'"))
    return text.slice(1, -1).replaceAll("''", "'")
  return text
}

function escapesRead(text: string): string {
  try {
    return String(JSON.parse(text))
  } catch {
    return text.slice(1, -1)
  }
}
