import { parse, TomlError } from 'smol-toml'
import { isAlias, isMap, isScalar, isSeq, LineCounter, parseDocument, type Document } from 'yaml'
import { UsageError } from './usage-error.ts'

/** The texts of a configuration file by dotted key. */
export type FlatFile = ReadonlyMap<string, string>

/**
 * Parses a configuration file. The file extension decides the format. Throws `UsageError` when the file cannot be
 * parsed; the message contains the line number where the parser reports a line number. Keys without a value are left out.
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
  let parsed: unknown
  try {
    parsed = JSON.parse(content)
  } catch (cause) {
    throw new UsageError(`${file}: not valid JSON: ${(cause as Error).message}`, { cause })
  }
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed))
    throw new UsageError(`${file}: not a JSON object`)
  return flatten(parsed)
}

function parseToml(file: string, content: string): FlatFile {
  try {
    return flatten(parse(content, { integersAsBigInt: 'asNeeded' }))
  } catch (cause) {
    if (!(cause instanceof TomlError)) throw cause
    throw new UsageError(`${file}: line ${cause.line} is not valid TOML: ${firstLineOf(cause)}`, { cause })
  }
}

function flatten(members: object, prefix = '', texts = new Map<string, string>()): FlatFile {
  for (const [key, value] of Object.entries(members) as [string, unknown][]) {
    if (typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date))
      flatten(value, `${prefix}${key}.`, texts)
    else if (value !== null) texts.set(prefix + key, textOf(value))
  }
  return texts
}

/** Returns the text of a value. A list becomes texts separated by commas. */
function textOf(value: unknown): string {
  if (Array.isArray(value)) return value.map(textOf).join(',')
  if (typeof value === 'string') return value
  return typeof value === 'bigint' ? value.toString() : JSON.stringify(value)
}

function parseYaml(file: string, content: string): FlatFile {
  const lineCounter = new LineCounter()
  const document = parseDocument(content, { lineCounter, prettyErrors: false, stringKeys: true })
  const [error] = document.errors
  if (error !== undefined) {
    const { line } = lineCounter.linePos(error.pos[0])
    throw new UsageError(`${file}: line ${line} is not valid YAML: ${firstLineOf(error)}`, { cause: error })
  }
  const texts = new Map<string, string>()
  if (document.contents === null || (isScalar(document.contents) && document.contents.value === null))
    return texts
  if (!isMap(document.contents)) throw new UsageError(`${file}: not a list of keys with values`)
  collectTexts(document, { node: document.contents, key: '' }, texts)
  return texts
}

type YamlNode = { readonly node: unknown; readonly key: string }

/** Adds the texts of a node and of the nodes below it. */
function collectTexts(document: Document, { node, key }: YamlNode, texts: Map<string, string>): void {
  const value = isAlias(node) ? node.resolve(document) : node
  if (isMap(value)) {
    for (const { key: name, value: below } of value.items) {
      const full = `${key === '' ? '' : `${key}.`}${String(isScalar(name) ? name.value : name)}`
      collectTexts(document, { node: below, key: full }, texts)
    }
    return
  }
  const text = yamlText(document, value)
  if (text !== null) texts.set(key, text)
}

/**
 * Returns the text of a value, or null for a missing value. A value without quotation marks is returned as it is
 * written, because 0640 is a mode and not the number 640.
 */
function yamlText(document: Document, node: unknown): string | null {
  const value = isAlias(node) ? node.resolve(document) : node
  if (isSeq(value)) return value.items.map((item) => yamlText(document, item) ?? '').join(',')
  if (isMap(value)) return JSON.stringify(value.toJS(document))
  if (!isScalar(value) || value.value === null) return null
  return value.type === 'PLAIN' ? (value.source ?? '').trim() : textOf(value.value)
}

const firstLineOf = ({ message }: Error): string =>
  (message.split('\n')[0] ?? '').replace(/^Invalid TOML document: /, '')
