import type { TextSource } from '../rows/text-source.ts'
import type { JsonKind } from './json-nodes.ts'
import type { JsonProblem } from './read-json.ts'

/** The part of a tree that is rendered, and the row that has the focus or had it last. The end is not included. */
export type JsonWindow = { readonly first: number; readonly end: number; readonly active: number }

/** A message from the page to the worker of a tree. Rows are counted from 0 among those on screen. */
export type JsonCommand =
  | { readonly kind: 'open'; readonly source: TextSource; readonly name: string }
  | { readonly kind: 'show'; readonly window: JsonWindow }
  | { readonly kind: 'toggle'; readonly row: number }
  | { readonly kind: 'open-all' | 'close-all' }
  /** Asks for the whole value of the active row, or for its path. */
  | { readonly kind: 'copy'; readonly part: 'value' | 'path' }

/** A row on screen: a value and its key. */
export type JsonRow = {
  readonly index: number
  /** The key in an object, the position in a list, or null for the outermost value. */
  readonly key: string | null
  readonly kind: JsonKind
  /** The beginning of the value: a string without quotes, a number with all its digits. Empty for containers. */
  readonly text: string
  /** The number of entries of a container. */
  readonly size: number
  readonly level: number
  readonly position: number
  readonly setSize: number
  readonly isOpen: boolean
  /** The row of the container around the value, or -1. */
  readonly parent: number
}

/** A part of a tree, as it is now. */
export type JsonContent = {
  readonly window: JsonWindow
  readonly rows: readonly JsonRow[]
  readonly active: { readonly row: JsonRow; readonly path: string; readonly text: string } | null
  /** The number of rows on screen, and the number of values in the text. */
  readonly shown: number
  readonly values: number
  readonly problem: JsonProblem | null
  /** True when the file is larger than a tree can be. */
  readonly isCut: boolean
}

/** A message from the worker to the page. */
export type JsonMessage =
  | { readonly kind: 'content'; readonly content: JsonContent }
  | { readonly kind: 'copied'; readonly text: string }
  | { readonly kind: 'failed' }
