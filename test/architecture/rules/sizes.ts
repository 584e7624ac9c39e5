import path from 'node:path'
import { isTest, walk, type SyntaxNode, type SourceFile, type SourceTree } from '../source-tree.ts'

export const limits = {
  fileLines: 300,
  functionLines: 60,
  componentLines: 120,
  parameters: 3,
  nesting: 3,
  filesInFolder: 30,
}

const functions = new Set(['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression'])
const branches = new Set([
  'IfStatement',
  'ForStatement',
  'ForInStatement',
  'ForOfStatement',
  'WhileStatement',
  'DoWhileStatement',
  'SwitchStatement',
  'TryStatement',
])
const literals = new Set(['ObjectExpression', 'ArrayExpression'])

/** Returns true for database migrations, which are never changed once they are released. */
const isMigration = (file: string) => file.includes('/migrations/')

export const longFiles = ({ files }: SourceTree): string[] =>
  files
    .filter((file) => !isMigration(file.path))
    .map((file) => ({ path: file.path, lines: file.isCode.filter(Boolean).length - dataLines(file) }))
    .filter(({ lines }) => lines > limits.fileLines)
    .map(({ path, lines }) => `${path} has ${lines} lines`)

/**
 * Counts the lines of top-level literals that contain only values. These literals are tables, so the limits for code do
 * not apply to them.
 */
function dataLines(file: SourceFile): number {
  let lines = 0
  walk(file.program, (node, parents) => {
    if (!literals.has(node.type) || parents.some(({ type }) => literals.has(type) || functions.has(type)))
      return
    let isPlain = true
    walk(node, ({ type }) => {
      if (functions.has(type)) isPlain = false
    })
    if (isPlain) lines += file.lineOf(node.end) - file.lineOf(node.start)
  })
  return lines
}

export const longFunctions = (tree: SourceTree): string[] =>
  checkFunctions(tree, (node, file) => {
    if (isMigration(file.path)) return null
    const lines = file.isCode.slice(file.lineOf(node.start) - 1, file.lineOf(node.end)).filter(Boolean).length
    const maxLines = file.path.endsWith('.tsx') ? limits.componentLines : limits.functionLines
    return lines > maxLines ? `has ${lines} lines` : null
  })

export const manyParameters = (tree: SourceTree): string[] =>
  checkFunctions(tree, (node) => {
    const count = (node['params'] as unknown[]).length
    return count > limits.parameters ? `has ${count} parameters` : null
  })

export const deepNesting = (tree: SourceTree): string[] =>
  checkFunctions(tree, (node) => {
    let deepest = 0
    walk(node['body'], (inner, parents) => {
      if (!branches.has(inner.type)) return
      const enclosing = parents.slice(parents.findLastIndex(({ type }) => functions.has(type)) + 1)
      deepest = Math.max(
        deepest,
        1 + enclosing.filter((parent, index) => isLevel(parent, enclosing[index + 1] ?? inner)).length,
      )
    })
    return deepest > limits.nesting ? `is nested ${deepest} deep` : null
  })

/** Returns true when a node begins a new level of nesting. An `else if` has the same level as its `if`. */
const isLevel = (node: SyntaxNode, child: SyntaxNode): boolean =>
  branches.has(node.type) &&
  !(node.type === 'IfStatement' && node['alternate'] === child && child.type === 'IfStatement')

function checkFunctions(
  { files }: SourceTree,
  check: (node: SyntaxNode, file: SourceFile) => string | null,
): string[] {
  const violations: string[] = []
  for (const file of files) {
    walk(file.program, (node) => {
      if (!functions.has(node.type)) return
      const violation = check(node, file)
      if (violation !== null) violations.push(`${file.path}:${file.lineOf(node.start)} ${violation}`)
    })
  }
  return violations
}

export function crowdedFolders({ paths }: SourceTree): string[] {
  const counts = new Map<string, number>()
  for (const file of paths) {
    if (isTest(file) || isMigration(file) || !/\.tsx?$/.test(file)) continue
    counts.set(path.dirname(file), (counts.get(path.dirname(file)) ?? 0) + 1)
  }
  return [...counts]
    .filter(([, count]) => count > limits.filesInFolder)
    .map(([folder, count]) => `${folder} contains ${count} files`)
}
