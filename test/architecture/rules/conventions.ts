import path from 'node:path'
import {
  isEntryUrl,
  nameOf,
  walk,
  type SyntaxNode,
  type SourceFile,
  type SourceTree,
} from '../source-tree.ts'

const bannedNames = [
  'utils',
  'helpers',
  'misc',
  'common',
  'manager',
  'service',
  'handler',
  'data',
  'info',
  'base',
]

/** Finds files and folders whose names do not describe their content. */
export const vagueNames = ({ paths }: SourceTree): string[] =>
  paths.filter((file) => file.split('/').some((part) => bannedNames.includes(part.replace(/\..*$/, ''))))

/**
 * Finds code and style files that are not named in kebab-case. Images and catalogues follow the conventions of their
 * own tools.
 */
export const namesNotInKebabCase = ({ paths }: SourceTree): string[] =>
  paths.filter(
    (file) =>
      /\.(tsx?|css)$/.test(file) &&
      !/^[a-z0-9]+(-[a-z0-9]+)*(\.module|\.test|\.d)?\.\w+$/.test(path.basename(file)),
  )

/** Finds default exports. Views that are imported dynamically may have one, since React's `lazy` requires it. */
export function defaultExports({ files }: SourceTree): string[] {
  const dynamicallyImported = new Set(
    files.flatMap(({ imports }) => imports.filter(({ isDynamic }) => isDynamic).map(({ target }) => target)),
  )
  return violationsIn(
    files.filter((file) => !dynamicallyImported.has(file.path)),
    (node) => (node.type === 'ExportDefaultDeclaration' ? 'has a default export' : null),
  )
}

/** Finds files that re-export from other files (barrels). */
export const barrels = ({ files }: SourceTree): string[] =>
  violationsIn(files, (node) => {
    const isReExport =
      node.type === 'ExportAllDeclaration' || (node.type === 'ExportNamedDeclaration' && node['source'])
    return isReExport ? 're-exports from another file' : null
  })

/** Finds classes that extend neither an error nor a React component. */
export const classes = ({ files }: SourceTree): string[] =>
  violationsIn(files, (node) => {
    const isClass = node.type === 'ClassDeclaration' || node.type === 'ClassExpression'
    const parent = nameOf(node['superClass']) ?? ''
    return isClass && !parent.endsWith('Error') && !parent.endsWith('Component') ? 'has a class' : null
  })

/**
 * Finds code that reads the environment variables or arguments of the process, handles its signals, or ends it. Only
 * the entry file, the configuration and the command line may do so.
 */
export const processReaders = ({ files }: SourceTree): string[] =>
  violationsIn(
    files.filter(({ path }) => !/^server\/(main\.ts|config\/|cli\/)/.test(path)),
    (node) => {
      const isRead = node.type === 'MemberExpression' && nameOf(node['object']) === 'process'
      const member = nameOf(node['property']) ?? ''
      return isRead && ['env', 'exit', 'exitCode', 'argv', 'on', 'once'].includes(member)
        ? `uses process.${member}`
        : null
    },
  )

/** Finds server code outside `http` that parses URLs. All other server code receives a `Path`. */
export const urlReaders = ({ files }: SourceTree): string[] =>
  violationsIn(
    files.filter(({ path }) => path.startsWith('server/') && !path.startsWith('server/http/')),
    (node) => {
      if (node.type === 'NewExpression' && nameOf(node['callee']) === 'URL' && !isProgramFileUrl(node))
        return 'parses a URL'
      const isRequest = /^(req|request|raw)$/.test(nameOf(node['object']) ?? '')
      return isRequest && nameOf(node['property']) === 'url' ? 'reads the URL of a request' : null
    },
  )

/**
 * The files of the server that open connections. The first asks for the list of advisories, and the second one the service that
 * checks whether a person signs up, where an administrator has set them. The others connect to sockets of this machine. PostgreSQL has its own package, which only the
 * records may import.
 */
const connecting = [
  'server/advisories/advisory-check.ts',
  'server/auth/captcha.ts',
  'server/http/unix-socket.ts',
  'server/peers/running-servers.ts',
  'server/peers/socket-link.ts',
]

const connectingModules = /^(node:)?(net|tls|http|https|http2|dgram|dns|dns\/promises)$/
const connectingNames = ['connect', 'createConnection', 'createSocket', 'request', 'get', 'default', '*']

/** Finds server code that could send something to another machine. The server reports nothing to anybody. */
export const outgoingConnections = ({ files }: SourceTree): string[] =>
  violationsIn(
    files.filter(({ path }) => path.startsWith('server/') && !connecting.includes(path)),
    (node) => {
      const callee = nameOf(node['callee']) ?? ''
      if (node.type === 'CallExpression' && callee === 'fetch') return 'calls fetch'
      if (node.type === 'NewExpression' && ['WebSocket', 'EventSource'].includes(callee))
        return `makes a ${callee}`
      if (node.type !== 'ImportDeclaration') return null
      const from = String((node['source'] as SyntaxNode)['value'])
      if (!connectingModules.test(from) || node['importKind'] === 'type') return null
      if (/dns|dgram/.test(from)) return `imports ${from}`
      const values = (node['specifiers'] as readonly SyntaxNode[]).filter(
        ({ importKind }) => importKind !== 'type',
      )
      const found = values.map(importedNameOf).find((name) => connectingNames.includes(name))
      return found === undefined ? null : `imports ${found} of ${from}`
    },
  )

/** Returns the name that an import takes from its module: `default` and `*` for the import of a whole module. */
function importedNameOf(specifier: SyntaxNode): string {
  if (specifier.type === 'ImportDefaultSpecifier') return 'default'
  return specifier.type === 'ImportNamespaceSpecifier' ? '*' : (nameOf(specifier['imported']) ?? '')
}

/** Returns true for `new URL('…', import.meta.url)`, the URL of a file of the program. */
const isProgramFileUrl = (node: SyntaxNode): boolean =>
  isEntryUrl(node) || (node['arguments'] as readonly SyntaxNode[])[1]?.type === 'MemberExpression'

/** Markers of unfinished work. The brackets prevent a search for these markers from finding this line. */
const unfinishedMarkers = /\b(T[O]DO|F[I]XME|X[X]X|H[A]CK)\b/
const disabledRules = /(oxlint|eslint)-disable|@ts-(ignore|nocheck|expect-error)/

/** Finds comments that mark unfinished work or switch off a rule of the linter or compiler. */
export const leftovers = ({ files }: SourceTree): string[] =>
  files.flatMap(({ path, comments }) =>
    comments
      .filter((text) => unfinishedMarkers.test(text) || disabledRules.test(text))
      .map((text) => `${path}: ${text.trim().slice(0, 60)}`),
  )

/** Finds uses of `any`, because the type checker does not check values of that type. */
export const anyTypes = ({ files }: SourceTree): string[] =>
  violationsIn(files, (node) => (node.type === 'TSAnyKeyword' ? 'uses any' : null))

/** Finds code that inserts unescaped markup or evaluates text as code. */
export const injections = ({ files }: SourceTree): string[] =>
  violationsIn(files, (node) => {
    const name = nameOf(node['callee']) ?? nameOf(node['property']) ?? attributeName(node) ?? ''
    const isCall =
      ['CallExpression', 'NewExpression'].includes(node.type) && ['eval', 'Function'].includes(name)
    const isMarkup =
      ['innerHTML', 'outerHTML', 'insertAdjacentHTML'].includes(name) || name === 'dangerouslySetInnerHTML'
    return isCall || (isMarkup && ['MemberExpression', 'JSXAttribute'].includes(node.type))
      ? `uses ${name}`
      : null
  })

/** The one module that listens to the keys of the page. */
const keyScopes = 'client/ui/keyboard/key-scopes.ts'

/**
 * Finds client code that listens to keys on the document or the window. Such listeners would compete for keys in the order in
 * which they were added. Code that handles keys wherever the focus is opens a scope.
 */
export const keyListeners = ({ files }: SourceTree): string[] =>
  violationsIn(
    files.filter(({ path }) => path.startsWith('client/') && path !== keyScopes),
    (node) => {
      if (node.type !== 'CallExpression') return null
      const callee = node['callee'] as SyntaxNode
      const isOfPage =
        nameOf(callee) === 'addEventListener' ||
        (nameOf(callee['property']) === 'addEventListener' &&
          pageObjects.includes(nameOf(callee['object']) ?? ''))
      const [type] = node['arguments'] as readonly SyntaxNode[]
      return isOfPage && /^key(down|press|up)$/.test(String(type?.['value']))
        ? 'listens to keys of the page'
        : null
    },
  )

const pageObjects = ['document', 'window', 'globalThis', 'self']

const attributeName = (node: SyntaxNode): string | undefined =>
  node.type === 'JSXAttribute' ? ((node['name'] as SyntaxNode)['name'] as string) : undefined

function violationsIn(
  files: readonly SourceFile[],
  check: (node: SyntaxNode) => string | null | undefined,
): string[] {
  const violations: string[] = []
  for (const file of files) {
    walk(file.program, (node) => {
      const violation = check(node)
      if (violation) violations.push(`${file.path}:${file.lineOf(node.start)} ${violation}`)
    })
  }
  return violations
}
