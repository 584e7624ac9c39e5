import {
  addNode,
  createNodes,
  endNode,
  isContainer,
  type JsonKind,
  type JsonNodes,
  kindOf,
} from './json-nodes.ts'
import { createScanner, type JsonScanner } from './json-scanner.ts'

/** The place in a text that is not valid JSON. Lines and columns are counted from 1. */
export type JsonProblem = {
  readonly line: number
  readonly column: number
  /** The character that does not fit, or an empty text when the text ends too early. */
  readonly found: string
}

export type JsonDocument = {
  readonly text: string
  /** The values up to the problem, if there is one. */
  readonly nodes: JsonNodes
  readonly problem: JsonProblem | null
  /** True when the text has more values than a tree can have. */
  readonly isCut: boolean
}

export type JsonOptions = {
  /** True for texts with comments and commas after the last entry. */
  readonly hasComments: boolean
  /** True for texts that are a sequence of values, usually one in each line. They are shown as a list. */
  readonly isSequence: boolean
  /** True when the text is only the beginning of a file. */
  readonly isBeginning: boolean
}

/** The largest number of values of a tree: they need about 160 MB. */
const maxNodes = 4_000_000

type JsonReader = JsonOptions & {
  readonly nodes: JsonNodes
  readonly scanner: JsonScanner
  /** The innermost container that has not ended, or -1. */
  open: number
  /** The token that is expected next. `first` is an entry, or the end of a container. */
  wants: 'value' | 'first' | 'separator' | 'end'
}

/** Reads a JSON text of any depth. Nothing is thrown for an invalid text: the values before the problem are returned. */
export function readJson(text: string, options: JsonOptions): JsonDocument {
  const nodes = createNodes()
  const scanner = createScanner(text, options.hasComments)
  const reader: JsonReader = { ...options, nodes, scanner, open: -1, wants: 'value' }
  if (options.isSequence) reader.open = addNode(nodes, { kind: 'array', start: 0, key: noKey, parent: -1 })
  let isFine = true
  while (isFine && nodes.count < maxNodes && scanner.peek() !== '') isFine = step(reader)
  const isCut = isFine && nodes.count >= maxNodes
  const isWhole = options.isSequence ? reader.open === 0 && reader.wants === 'value' : reader.wants === 'end'
  const isAtEnd = options.isBeginning && scanner.at >= text.length
  const isValid = (isFine && isWhole) || isCut || isAtEnd
  for (let node = reader.open; node !== -1; node = nodes.parents[node] ?? -1)
    endNode(nodes, node, text.length)
  return { text, nodes, problem: isValid ? null : problemAt(text, scanner.at), isCut }
}

const noKey = { start: 0, end: 0 }

/** Reads the next part of the text. Returns false when it does not fit. */
function step(reader: JsonReader): boolean {
  const next = reader.scanner.peek()
  switch (reader.wants) {
    case 'end':
      return false
    case 'separator':
      if (next !== ',') return close(reader, next)
      reader.scanner.at += 1
      reader.wants = reader.hasComments ? 'first' : 'value'
      return true
    case 'first':
      return close(reader, next) || readEntry(reader)
    default:
      return readEntry(reader)
  }
}

/** Ends the innermost container when the character ends it. */
function close(reader: JsonReader, next: string): boolean {
  const { nodes, open, scanner } = reader
  const isEnd =
    open !== -1 && !isInSequence(reader) && next === (kindOf(nodes, open) === 'object' ? '}' : ']')
  if (!isEnd) return false
  scanner.at += 1
  endNode(nodes, open, scanner.at)
  reader.open = nodes.parents[open] ?? -1
  reader.wants = wantsAfterValue(reader)
  return true
}

const isInSequence = ({ isSequence, open }: JsonReader): boolean => isSequence && open === 0

function wantsAfterValue(reader: JsonReader): JsonReader['wants'] {
  if (isInSequence(reader)) return 'value'
  return reader.open === -1 ? 'end' : 'separator'
}

/** Reads a value with its key, or the beginning of a container. */
function readEntry(reader: JsonReader): boolean {
  const { nodes, open, scanner } = reader
  const key = open !== -1 && kindOf(nodes, open) === 'object' ? readKey(scanner) : noKey
  if (key === null) return false
  const kind = kindBeginningWith(scanner.peek())
  const start = scanner.at
  if (isContainer(kind)) {
    scanner.at += 1
    reader.open = addNode(nodes, { kind, start, key, parent: open })
    reader.wants = 'first'
    return true
  }
  const skip = { string: scanner.skipString, number: scanner.skipNumber, literal: scanner.skipWord }
  if (!skip[kind]()) return false
  endNode(nodes, addNode(nodes, { kind, start, key, parent: open }), scanner.at)
  reader.wants = wantsAfterValue(reader)
  return true
}

/** Reads a key and its colon. */
function readKey(scanner: JsonScanner): typeof noKey | null {
  const isString = scanner.peek() === '"'
  const start = scanner.at
  if (!isString || !scanner.skipString()) return null
  const key = { start, end: scanner.at }
  if (scanner.peek() !== ':') return null
  scanner.at += 1
  return key
}

function kindBeginningWith(character: string): JsonKind {
  if (character === '{') return 'object'
  if (character === '[') return 'array'
  if (character === '"') return 'string'
  return /[-\d]/.test(character) ? 'number' : 'literal'
}

function problemAt(text: string, at: number): JsonProblem {
  const before = text.slice(0, at)
  const line = (before.match(/\n/g)?.length ?? 0) + 1
  const code = text.codePointAt(at)
  return {
    line,
    column: at - before.lastIndexOf('\n'),
    found: code === undefined ? '' : String.fromCodePoint(code),
  }
}
