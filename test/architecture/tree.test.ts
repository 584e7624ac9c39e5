import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { layers } from './layers.ts'
import * as imports from './rules/imports.ts'
import * as conventions from './rules/conventions.ts'
import * as direction from './rules/direction.ts'
import { costlyHas } from './rules/has-selectors.ts'
import * as names from './rules/names.ts'
import * as sizes from './rules/sizes.ts'
import { readTree, treeOf, type SourceTree } from './source-tree.ts'

const src = readTree(path.resolve(import.meta.dirname, '../../src'))

type RuleSample = {
  readonly rule: (tree: SourceTree) => readonly string[]
  /** The files in `broken` violate the rule. The files in `fine` are similar but comply with the rule. */
  readonly broken: Readonly<Record<string, string>>
  readonly fine: Readonly<Record<string, string>>
}

const lines = (count: number, line = 'call()') => `${line}\n`.repeat(count)
const body = (count: number) => `export function long() {\n${lines(count)}}\n`

/**
 * The marker of unfinished work is joined from two parts, so that a search for these markers does not find this file.
 */
const unfinishedMarker = ['TO', 'DO'].join('')

const rules: Readonly<Record<string, RuleSample>> = {
  'every folder is on the map': {
    rule: imports.filesOutsideMap,
    broken: { 'server/nowhere/x.ts': '' },
    fine: { 'server/files/deeper/x.ts': '', 'client/main.tsx': '' },
  },
  'a folder below an entry with further entries needs its own entry': {
    rule: imports.filesOutsideMap,
    broken: { 'client/nowhere/x.ts': '' },
    fine: { 'client/listing/x.ts': '' },
  },
  'imports lead only where the map allows': {
    rule: imports.forbiddenImports,
    broken: { 'server/files/a.ts': `import { b } from '../users/b.ts'`, 'server/users/b.ts': '' },
    fine: { 'server/files/a.ts': `import { b } from '../storage/port.ts'\nimport './c.ts'` },
  },
  'an import of a type is an import': {
    rule: imports.forbiddenImports,
    broken: { 'shared/domain/a.ts': `import type { B } from '../contract/b.ts'` },
    fine: { 'shared/contract/a.ts': `import type { B } from '../domain/b.ts'` },
  },
  'a dynamic import is an import': {
    rule: imports.forbiddenImports,
    broken: { 'client/ui/a.ts': `const b = await import('../actions/b.ts')` },
    fine: { 'client/ui/a.ts': `const b = await import('./b.ts')` },
  },
  'an import inside a type is an import': {
    rule: imports.forbiddenImports,
    broken: { 'server/storage/a.ts': `type B = import('../files/b.ts').B` },
    fine: { 'server/storage/a.ts': `type B = import('./b.ts').B` },
  },
  'the entry of a worker is an import': {
    rule: imports.forbiddenImports,
    broken: { 'server/workers/a.ts': `const entry = new URL('../storage/b.ts', import.meta.url)` },
    fine: { 'server/workers/a.ts': `const entry = new URL('./b.ts', import.meta.url)` },
  },
  'no file imports itself through other files': {
    rule: imports.fileCycles,
    broken: { 'client/ui/a.ts': `import './b.ts'`, 'client/ui/b.ts': `export * from './a.ts'` },
    fine: { 'client/ui/a.ts': `import './b.ts'`, 'client/ui/b.ts': `await import('./a.ts')` },
  },
  'no file imports itself through types of other files': {
    rule: imports.fileCycles,
    broken: { 'client/ui/a.ts': `import './b.ts'`, 'client/ui/b.ts': `import type { A } from './a.ts'` },
    fine: { 'client/ui/a.ts': `import './b.ts'`, 'client/ui/b.ts': `import type { C } from './c.ts'` },
  },
  'subfolders of one entry do not import each other in a cycle': {
    rule: imports.folderCycles,
    broken: {
      'server/archives/archives.ts': `import { zip } from './zip/zip.ts'`,
      'server/archives/members.ts': '',
      'server/archives/zip/zip.ts': `import { members } from '../members.ts'`,
    },
    fine: {
      'server/archives/archives.ts': `import { zip } from './zip/zip.ts'`,
      'server/archives/member.ts': '',
      'server/archives/zip/zip.ts': `import type { Member } from '../member.ts'`,
    },
  },
  'a side exports each type and function once': {
    rule: names.namesDeclaredTwice,
    broken: { 'server/files/a.ts': 'export type Row = 1', 'server/users/b.ts': 'export type Row = 2' },
    fine: {
      'server/files/a.ts': 'type Row = 1; export type Cell = 1; const move = () => 1',
      'server/users/b.ts': 'type Row = 2; export const move = () => 2',
      'client/ui/c.ts': 'export type Cell = 3',
    },
  },
  'the client takes only types and names of the contract': {
    rule: imports.contractAtRunTime,
    broken: { 'client/api/a.ts': `import { errorStatus } from '../../shared/contract/errors.ts'` },
    fine: {
      'client/api/a.ts': `import { routes } from '../../shared/contract/routes.ts'\nimport type { E } from '../../shared/contract/errors.ts'`,
    },
  },
  'a component reads rows through their summary': {
    rule: imports.columnsInComponents,
    broken: {
      'client/features/files/a.tsx': `import { entryAt } from '../../listing/rows/columns.ts'`,
      'client/listing/rows/columns.ts': '',
    },
    fine: {
      'client/features/files/a.tsx': `import type { Columns } from '../../listing/rows/columns.ts'`,
      'client/features/files/use-b.ts': `import { entryAt } from '../../listing/rows/columns.ts'`,
      'client/listing/rows/columns.ts': '',
    },
  },
  'a restricted package is imported only in its own folder': {
    rule: imports.strayPackages,
    broken: { 'server/files/a.ts': `import type { WebSocket } from 'ws'` },
    fine: { 'server/http/a.ts': `import { WebSocketServer } from 'ws'` },
  },
  'system calls are made in one file': {
    rule: imports.strayPackages,
    broken: { 'server/storage/posix/list.ts': `import koffi from 'koffi'` },
    fine: { 'server/storage/posix/calls/kernel.ts': `import koffi from 'koffi'` },
  },
  'code that runs in a browser does not import Node modules': {
    rule: imports.nodeInBrowser,
    broken: { 'shared/domain/a.ts': `import path from 'node:path'` },
    fine: { 'server/files/a.ts': `import path from 'node:path'` },
  },
  'a file has at most 300 lines': {
    rule: sizes.longFiles,
    broken: { 'server/files/a.ts': lines(301) },
    fine: {
      'server/files/a.ts': `${lines(290)}${lines(50, '// why')}export const table = [\n${lines(50, '1,')}]\n`,
    },
  },
  'a function has at most 60 lines': {
    rule: sizes.longFunctions,
    broken: { 'server/files/a.ts': body(59) },
    fine: { 'server/files/a.ts': body(58) },
  },
  'a component has at most 120 lines': {
    rule: sizes.longFunctions,
    broken: { 'client/app/a.tsx': body(119) },
    fine: { 'client/app/a.tsx': body(118) },
  },
  'a function takes at most four parameters': {
    rule: sizes.manyParameters,
    broken: { 'server/files/a.ts': 'export const f = (a: 1, b: 2, c: 3, d: 4, e: 5) => a' },
    fine: { 'server/files/a.ts': 'export const f = (a: 1, b: 2, c: 3, d: 4) => a' },
  },
  'code is nested at most three levels deep': {
    rule: sizes.deepNesting,
    broken: { 'server/files/a.ts': 'function f() { for (;;) { if (a) { try { if (b) c() } finally {} } } }' },
    fine: {
      'server/files/a.ts':
        'function f() { for (;;) { if (a) b(); else if (c) d(); else if (e) { if (g) h() } } }',
    },
  },
  'a folder contains at most thirty files': {
    rule: sizes.crowdedFolders,
    broken: Object.fromEntries(Array.from({ length: 31 }, (_, n) => [`server/files/f${n}.ts`, ''])),
    fine: Object.fromEntries(
      Array.from({ length: 30 }, (_, n) => [`server/files/f${n}.ts`, '']).concat([
        ['server/files/f1.test.ts', ''],
        ['server/files/deeper/x.ts', ''],
      ]),
    ),
  },
  'names of files and folders are specific': {
    rule: conventions.vagueNames,
    broken: { 'server/files/utils.ts': '' },
    fine: { 'server/files/info-line.ts': '' },
  },
  'files are named in kebab-case': {
    rule: conventions.namesNotInKebabCase,
    broken: { 'client/ui/IconButton.tsx': '' },
    fine: { 'client/ui/icon-button.tsx': '', 'client/ui/icon-button.module.css': '' },
  },
  'exports have names': {
    rule: conventions.defaultExports,
    broken: { 'client/ui/a.ts': 'export default 1' },
    fine: {
      'client/app/a.ts': `import('../features/files/b.ts')`,
      'client/features/files/b.ts': 'export default 1',
    },
  },
  'no file re-exports from another file': {
    rule: conventions.barrels,
    broken: { 'client/ui/a.ts': `export { b } from './b.ts'` },
    fine: { 'client/ui/a.ts': `import { b } from './b.ts'\nexport const all = [b]` },
  },
  'only errors are classes': {
    rule: conventions.classes,
    broken: { 'server/files/a.ts': 'export class Mover {}' },
    fine: { 'server/files/a.ts': 'export class Refused extends Error {}' },
  },
  'only the entry file, the configuration and the command line use the process': {
    rule: conventions.processReaders,
    broken: { 'server/auth/a.ts': `export const home = process.env['HOME']` },
    fine: { 'server/config/a.ts': `export const home = process.env['HOME']` },
  },
  'only the key scopes listen to keys of the document': {
    rule: conventions.keyListeners,
    broken: {
      'client/features/files/a.ts': `export const a = () => document.addEventListener('keydown', () => undefined, true)`,
    },
    fine: {
      'client/features/files/a.ts': `export const a = (field: HTMLElement) => field.addEventListener('keydown', () => undefined)`,
      'client/ui/keyboard/key-scopes.ts': `export const a = () => document.addEventListener('keydown', () => undefined)`,
    },
  },
  'only the key scopes listen to keys of the window': {
    rule: conventions.keyListeners,
    broken: { 'client/app/a.ts': `export const a = () => addEventListener('keyup', () => undefined)` },
    fine: { 'client/app/a.ts': `export const a = () => addEventListener('pointerup', () => undefined)` },
  },
  'only http parses URLs': {
    rule: conventions.urlReaders,
    broken: { 'server/files/a.ts': `export const at = (text: string) => new URL(text, 'http://x').pathname` },
    fine: { 'server/page/a.ts': `export const folder = new URL('../../../dist/client/', import.meta.url)` },
  },
  'only http reads the URL of a request': {
    rule: conventions.urlReaders,
    broken: { 'server/files/a.ts': 'export const at = (request: { url: string }) => request.url' },
    fine: { 'server/http/a.ts': 'export const at = (request: { url: string }) => request.url' },
  },
  'only five files of the server open connections': {
    rule: conventions.outgoingConnections,
    broken: {
      'server/a.ts': `export const tell = () => fetch('https://example.org/')`,
      'server/b.ts': `import { request } from 'node:https'`,
      'server/c.ts': `import net from 'node:net'`,
      'server/d.ts': `import { lookup } from 'node:dns/promises'`,
      'server/e.ts': `export const open = () => new WebSocket('wss://example.org/')`,
    },
    fine: {
      'server/a.ts': `import { createServer, type request } from 'node:http'\nimport type net from 'node:net'`,
    },
  },
  'only the routes of a feature know requests and responses': {
    rule: imports.requestReaders,
    broken: {
      'server/files/move.ts': `import type { RouteResponse } from '../http/route.ts'`,
      'server/http/route.ts': '',
    },
    fine: {
      'server/files/change-routes.ts': `import { route } from '../http/route.ts'`,
      'server/files/move.ts': `import { changeRoutes } from './change-routes.ts'`,
      'server/files/routes.ts': `import { route } from '../http/route.ts'`,
      'server/http/route.ts': '',
    },
  },
  'no comment marks unfinished work': {
    rule: conventions.leftovers,
    broken: { 'server/files/a.ts': `// ${unfinishedMarker}: later` },
    fine: { 'server/files/a.ts': `export const text = '${unfinishedMarker}'` },
  },
  'no rule of the linter or compiler is disabled': {
    rule: conventions.leftovers,
    broken: { 'server/files/a.ts': '/* oxlint-disable max-lines */' },
    fine: { 'server/files/a.ts': '// the linter is right here' },
  },
  'the type any is not used': {
    rule: conventions.anyTypes,
    broken: { 'server/files/a.ts': 'export const a = (b: any) => b' },
    fine: { 'server/files/a.ts': 'export const any = (b: unknown) => b' },
  },
  'style sheets name the start and the end of a line, not the left and the right side': {
    rule: direction.physicalSides,
    broken: { 'client/ui/a.module.css': '.a { margin-left: 4px }' },
    fine: { 'client/ui/a.module.css': '.a { margin-inline-start: 4px } /* left: */ .left { top: 0 }' },
  },
  'no selector makes each new element compute the style of much of the page': {
    rule: costlyHas,
    broken: {
      'client/ui/a.module.css':
        '.a, .b:has(.c) > :not(.d) { top: 0 } #c:has(.e) :is(p, :has(+ [data-a])) { top: 0 }',
    },
    fine: {
      'client/ui/a.module.css': '.a:has(> b) .c:hover, :root:has(.d), :global(html):has(.e) { top: 0 }',
    },
  },
  'one module reads the direction of the page': {
    rule: direction.directionReaders,
    broken: { 'client/ui/a.ts': `export const a = document.documentElement.dir === 'rtl'` },
    fine: { 'client/ui/direction/a.ts': `export const a = document.documentElement.dir === 'rtl'` },
  },
  'paths of files are displayed in one form': {
    rule: direction.ownFormsOfPaths,
    broken: { 'client/ui/a.ts': 'export const a = (path: string) => visibleName(path.slice(1))' },
    fine: {
      'client/ui/a.ts': 'export const a = (path: Path) => visibleName(nameOf(path)) + textOfPlace(path)',
      'client/features/shell/a.ts': 'export const a = (path: string) => visibleName(path)',
    },
  },
  'strings are never evaluated as code or inserted as markup': {
    rule: conventions.injections,
    broken: {
      'client/ui/a.tsx': 'export const A = ({ b }: P) => <p dangerouslySetInnerHTML={{ __html: b }} />',
    },
    fine: { 'client/ui/a.tsx': 'export const A = ({ b }: P) => <p>{b}</p>' },
  },
}

describe.each(Object.entries(rules))('%s', (_title, { rule, broken, fine }) => {
  test('the source complies', () => expect(rule(src)).toEqual([]))
  test('a violation is reported', () => expect(rule(treeOf(broken))).not.toEqual([]))
  test('similar code that complies is not reported', () => expect(rule(treeOf(fine))).toEqual([]))
})

describe('the map', () => {
  test('has no entries without files', () => expect(imports.emptyEntries(src)).toEqual([]))
  test('an entry without files is reported', () => {
    expect(imports.emptyEntries(treeOf({ 'shared/domain/a.ts': '' }))).toContain(
      'server/files is on the map, but there is nothing in it',
    )
  })

  test('allows only imports of its own entries', () => expect(imports.unknownEntries(layers)).toEqual([]))
  test('an unknown entry is reported', () => expect(imports.unknownEntries({ a: ['b'] })).toHaveLength(1))

  test('has no cycle', () => expect(imports.mapCycles(layers)).toEqual([]))
  test('a cycle is reported', () => {
    expect(imports.mapCycles({ a: ['b'], b: ['c'], c: ['a'] })).toEqual(['a → b → c → a'])
  })
})
