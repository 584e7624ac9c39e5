import { nameOf, type SyntaxNode, type SourceTree } from '../source-tree.ts'

/** Known names that one side declares more than once. Entries may only be removed from this list. */
export const knownDuplicates: readonly string[] = []

/**
 * Finds exported functions and types (including private types) whose name is declared more than once on one side of
 * `src`. Returns `<side>: <name> in <files>` for each name. Every name has only one meaning on each side, so that
 * readers can rely on it.
 */
export function namesDeclaredTwice(
  { files }: SourceTree,
  known: readonly string[] = knownDuplicates,
): string[] {
  const filesByName = new Map<string, Set<string>>()
  for (const { path, program } of files) {
    const side = path.split('/')[0] ?? ''
    for (const statement of program.body) {
      for (const name of declaredNames(statement)) {
        const key = `${side}: ${name}`
        filesByName.set(key, (filesByName.get(key) ?? new Set()).add(path))
      }
    }
  }
  return [...filesByName]
    .filter(([key, paths]) => paths.size > 1 && !known.includes(key))
    .map(([key, paths]) => `${key} in ${[...paths].sort().join(', ')}`)
}

/** Finds entries of `knownDuplicates` that are no longer declared more than once. */
export function outdatedDuplicates(tree: SourceTree, known: readonly string[] = knownDuplicates): string[] {
  const duplicates = new Set(namesDeclaredTwice(tree, []).map((line) => line.split(' in ')[0]))
  return known.filter((key) => !duplicates.has(key))
}

const typeDeclarations = new Set(['TSTypeAliasDeclaration', 'TSInterfaceDeclaration', 'ClassDeclaration'])

/** Returns the names of the types that a top-level statement declares, and of the functions that it exports. */
function declaredNames(statement: unknown): string[] {
  const node = statement as SyntaxNode
  const isExport = node.type === 'ExportNamedDeclaration'
  const declaration = (isExport ? node['declaration'] : node) as SyntaxNode | null
  if (declaration === null) return []
  if (typeDeclarations.has(declaration.type)) return namesOf(declaration)
  if (!isExport) return []
  if (declaration.type === 'FunctionDeclaration') return namesOf(declaration)
  if (declaration.type !== 'VariableDeclaration') return []
  const declarators = declaration['declarations'] as readonly SyntaxNode[]
  return declarators.filter((declarator) => isFunction(declarator['init'])).flatMap(namesOf)
}

const isFunction = (init: unknown): boolean =>
  ['ArrowFunctionExpression', 'FunctionExpression'].includes((init as SyntaxNode | null)?.type ?? '')

const namesOf = (node: SyntaxNode): string[] => [nameOf(node['id'])].filter((name) => name !== undefined)
