import { parseSync, visitorKeys } from 'oxc-parser'

/**
 * A place in a source file that names messages: a string with the id of a message, or a template such as
 * `reason.${code}`, which names all messages whose ids match it.
 */
export type IdUse = {
  readonly start: number
  readonly end: number
  readonly ids: readonly string[]
  /** The constant beginning of a template. Null for a string. */
  readonly prefix: string | null
}

/** A static or dynamic import of a source file. `isLate` is true for dynamic imports. */
export type ModuleImport = { readonly from: string; readonly isLate: boolean }

type Node = { readonly type: string; readonly start: number; readonly end: number } & Readonly<
  Record<string, unknown>
>

/** Finds the places in a source file that name messages, in their order, and the imports of modules of the client. */
export function readModule(
  file: string,
  code: string,
  ids: ReadonlySet<string>,
): { readonly uses: readonly IdUse[]; readonly imports: readonly ModuleImport[] } {
  const uses: IdUse[] = []
  const imports: ModuleImport[] = []
  const visit = (node: Node): void => {
    // Types are removed by the build.
    if (node.type.startsWith('TS') && /Type|Interface/.test(node.type)) return
    const isLate = node.type === 'ImportExpression'
    const source = node['source'] as { readonly value?: unknown } | null | undefined
    const isType = node['importKind'] === 'type' || node['exportKind'] === 'type'
    if (/^(Import|Export\w+)Declaration$|^ImportExpression$/.test(node.type) && !isType) {
      if (typeof source?.value === 'string') imports.push({ from: source.value, isLate })
      if (node.type === 'ImportDeclaration') return
    }
    const use = useAt(node, ids)
    if (use !== null) uses.push(use)
    for (const key of visitorKeys[node.type] ?? [])
      for (const child of [node[key]].flat()) if (isNode(child) && !isKey(node, key)) visit(child)
  }
  const { program, errors } = parseSync(file, code)
  if (errors.length > 0) throw new Error(`${file}: ${errors[0]?.message}`)
  visit(program as unknown as Node)
  return { uses, imports }
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string'

/** Returns true for the name of a property, which is not the id of a message. */
const isKey = (node: Node, key: string): boolean =>
  node.type === 'Property' && key === 'key' && node['computed'] !== true

function useAt(node: Node, ids: ReadonlySet<string>): IdUse | null {
  const { start, end } = node
  if (node.type === 'Literal' && typeof node['value'] === 'string')
    return ids.has(node['value']) ? { start, end, ids: [node['value']], prefix: null } : null
  if (node.type !== 'TemplateLiteral') return null
  const texts = (node['quasis'] as readonly { readonly value: { readonly cooked: string } }[]).map(
    ({ value }) => value.cooked,
  )
  const prefix = texts[0] ?? ''
  // Only a beginning with a dot can be the beginning of an id.
  if (texts.length < 2 || !/^[a-z]\w*\.([\w-]+\.)*$/i.test(prefix)) return null
  const pattern = new RegExp(`^${texts.map((text) => text.replaceAll('.', '\\.')).join('.+')}$`)
  const matching = [...ids].filter((id) => pattern.test(id))
  return matching.length === 0 ? null : { start, end, ids: matching, prefix }
}
