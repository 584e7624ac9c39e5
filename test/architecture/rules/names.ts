import { nameOf, type SyntaxNode, type SourceTree } from '../source-tree.ts'

/**
 * Finds exported functions and types whose name is declared more than once on one side of `src`. Returns
 * `<side>: <name> in <files>` for each name. Every exported name has only one meaning on each side, so that readers of an
 * import can rely on it. A name that a file keeps to itself may be used by other files as well.
 */
export function namesDeclaredTwice({ files }: SourceTree): string[] {
  const filesByName = new Map<string, Set<string>>()
  for (const { path, program } of files) {
    const side = path.split('/')[0] ?? ''
    for (const statement of program.body) {
      for (const name of exportedNames(statement)) {
        const key = `${side}: ${name}`
        filesByName.set(key, (filesByName.get(key) ?? new Set()).add(path))
      }
    }
  }
  return [...filesByName]
    .filter(([, paths]) => paths.size > 1)
    .map(([key, paths]) => `${key} in ${[...paths].sort().join(', ')}`)
}

const typeDeclarations = new Set(['TSTypeAliasDeclaration', 'TSInterfaceDeclaration', 'ClassDeclaration'])

/** Returns the names of the types and functions that a top-level statement exports. */
function exportedNames(statement: unknown): string[] {
  const node = statement as SyntaxNode
  const declaration =
    node.type === 'ExportNamedDeclaration' ? (node['declaration'] as SyntaxNode | null) : null
  if (declaration === null) return []
  if (typeDeclarations.has(declaration.type)) return namesOf(declaration)
  if (declaration.type === 'FunctionDeclaration') return namesOf(declaration)
  if (declaration.type !== 'VariableDeclaration') return []
  const declarators = declaration['declarations'] as readonly SyntaxNode[]
  return declarators.filter((declarator) => isFunction(declarator['init'])).flatMap(namesOf)
}

const isFunction = (init: unknown): boolean =>
  ['ArrowFunctionExpression', 'FunctionExpression'].includes((init as SyntaxNode | null)?.type ?? '')

const namesOf = (node: SyntaxNode): string[] => [nameOf(node['id'])].filter((name) => name !== undefined)
