import { readFileSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { parseSync, visitorKeys, type Program } from 'oxc-parser'

/**
 * An import in a source file. This can be a static import, a re-export, a dynamic import, an import in a type, or the
 * URL of a worker's entry file.
 */
export type SourceImport = {
  readonly from: string
  /** The path of the imported file, relative to `src`. Null when a package is imported. */
  readonly target: string | null
  readonly isType: boolean
  readonly isDynamic: boolean
}

export type SourceFile = {
  /** The path relative to `src`, with `/` as separator. */
  readonly path: string
  readonly text: string
  readonly program: Program
  readonly imports: readonly SourceImport[]
  /**
   * True for each line with code, false for empty lines and for lines that contain only a comment. Index 0 is line 1.
   */
  readonly isCode: readonly boolean[]
  readonly comments: readonly string[]
  readonly lineOf: (offset: number) => number
}

/** The files that the architecture rules check. These are the files of `src`, or sample files in tests of the rules. */
export type SourceTree = {
  readonly files: readonly SourceFile[]
  /** The paths of all files, including files that are not TypeScript. */
  readonly paths: readonly string[]
  readonly styleSheets: readonly StyleSheet[]
}

/** A style sheet, with its path relative to `src`. */
export type StyleSheet = { readonly path: string; readonly text: string }

/** A node of the syntax tree. Only the fields that all nodes have are declared. */
export type SyntaxNode = {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly [key: string]: unknown
}

/** Returns true for test files and for the conformance suites of ports. */
export const isTest = (file: string) => /\.test\.tsx?$|\/conformance\//.test(file)
const isTypeScript = (file: string) => /\.tsx?$/.test(file)
const isStyleSheet = (file: string) => file.endsWith('.css')

const trees = new Map<string, SourceTree>()

/**
 * Returns the files of a folder. Tests are skipped, because they may break the rules. Each folder is read once in a
 * process, because parsing the source takes seconds.
 */
export function readTree(folder: string): SourceTree {
  const tree = trees.get(folder) ?? readFiles(folder)
  trees.set(folder, tree)
  return tree
}

function readFiles(folder: string): SourceTree {
  const paths = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)).replaceAll(path.sep, '/'))
    .sort()
  const text = (file: string) => readFileSync(path.join(folder, file), 'utf8')
  return {
    files: paths.filter((file) => isTypeScript(file) && !isTest(file)).map((file) => read(file, text(file))),
    paths,
    styleSheets: paths.filter(isStyleSheet).map((file) => ({ path: file, text: text(file) })),
  }
}

/** Returns a source tree with the given file contents, for tests of the rules. */
export const treeOf = (sample: Readonly<Record<string, string>>): SourceTree => ({
  files: Object.entries(sample)
    .filter(([file]) => isTypeScript(file) && !isTest(file))
    .map(([file, text]) => read(file, text)),
  paths: Object.keys(sample),
  styleSheets: Object.entries(sample)
    .filter(([file]) => isStyleSheet(file))
    .map(([file, text]) => ({ path: file, text })),
})

function read(file: string, text: string): SourceFile {
  const { program, comments, errors } = parseSync(file, text)
  if (errors.length > 0) throw new Error(`${file}: ${errors[0]?.message}`)
  const starts = [0, ...[...text.matchAll(/\n/g)].map((match) => match.index + 1)]
  const lineOf = (offset: number) => starts.findLastIndex((start) => start <= offset) + 1
  const bare = blankOut(text, comments)
  return {
    path: file,
    text,
    program,
    imports: importsOf(file, program),
    isCode: bare.split('\n').map((line) => line.trim() !== ''),
    comments: comments.map((comment) => comment.value),
    lineOf,
  }
}

function blankOut(text: string, comments: readonly { start: number; end: number }[]): string {
  let bare = text
  for (const { start, end } of comments) {
    bare = bare.slice(0, start) + bare.slice(start, end).replace(/[^\n]/g, ' ') + bare.slice(end)
  }
  return bare
}

function importsOf(file: string, program: Program): SourceImport[] {
  const imports: SourceImport[] = []
  const add = (source: unknown, isType: boolean, isDynamic = false) => {
    const from = (source as { value?: unknown } | null)?.value
    if (typeof from === 'string') imports.push({ from, target: resolve(file, from), isType, isDynamic })
  }
  walk(program, (node) => {
    if (node.type === 'ImportDeclaration') add(node['source'], isTypeImport(node))
    if (node.type === 'ExportNamedDeclaration' || node.type === 'ExportAllDeclaration') {
      add(node['source'], node['exportKind'] === 'type')
    }
    if (node.type === 'ImportExpression') add(node['source'], false, true)
    if (node.type === 'TSImportType') add(node['source'] ?? node['argument'], true)
    if (isEntryUrl(node)) add((node['arguments'] as unknown[])[0], false, true)
  })
  return imports
}

function isTypeImport(node: SyntaxNode): boolean {
  const specifiers = node['specifiers'] as readonly { importKind?: string }[]
  const areAllTypes = specifiers.length > 0 && specifiers.every(({ importKind }) => importKind === 'type')
  return node['importKind'] === 'type' || areAllTypes
}

/** Returns true for `new URL('./thread.ts', import.meta.url)`, the form that names the entry file of a worker. */
export function isEntryUrl(node: SyntaxNode): boolean {
  if (node.type !== 'NewExpression' || nameOf(node['callee']) !== 'URL') return false
  const [first, second] = node['arguments'] as readonly (SyntaxNode | undefined)[]
  return (
    typeof first?.['value'] === 'string' &&
    isTypeScript(first['value']) &&
    second?.type === 'MemberExpression'
  )
}

function resolve(file: string, from: string): string | null {
  return from.startsWith('.') ? path.posix.join(path.posix.dirname(file), from) : null
}

/** Returns the name of an identifier, and undefined for every other expression. */
export const nameOf = (node: unknown): string | undefined =>
  (node as SyntaxNode | null)?.type === 'Identifier' ? String((node as SyntaxNode)['name']) : undefined

/**
 * Visits every node of a syntax tree, parents before children. `parents` lists the ancestors of the node, with the
 * direct parent last.
 */
export function walk(
  root: unknown,
  visit: (node: SyntaxNode, parents: readonly SyntaxNode[]) => void,
  parents: readonly SyntaxNode[] = [],
): void {
  const node = root as SyntaxNode
  visit(node, parents)
  const ancestors = [...parents, node]
  for (const key of visitorKeys[node.type] ?? []) {
    const children = [node[key]].flat()
    for (const child of children) if (isNode(child)) walk(child, visit, ancestors)
  }
}

const isNode = (value: unknown): value is SyntaxNode =>
  typeof value === 'object' && value !== null && typeof (value as SyntaxNode).type === 'string'
