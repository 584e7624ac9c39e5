import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { readTree, treeOf, type SourceTree } from './source-tree.ts'

/** These tests check that `docs/bounds.md` names every place where the server keeps something in memory. */
const root = path.resolve(import.meta.dirname, '../..')
const page = readFileSync(path.join(root, 'docs/bounds.md'), 'utf8')

/** Folders whose code runs before the server serves requests. */
const beforeServing = ['server/cli/', 'server/config/', 'server/takeover/']

/** An empty collection that is filled later, or a limiter. */
const collection =
  /new (?:Map|Set|WeakMap)(?:<[\s\S]{0,200}?>)?\(\)|\bcreate(?:KeyedLimiter|Bag|Batcher|BoundedMap|ByteBudget|VersionedCache)(?:<[^;]*?>)?\(/

/** Returns the files of the server that keep collections and are not named by a page. */
function unnamedFiles({ files }: SourceTree, text: string): string[] {
  return files
    .filter((file) => file.path.startsWith('server/') && collection.test(file.text))
    .filter((file) => !beforeServing.some((folder) => file.path.startsWith(folder)))
    .map((file) => file.path)
    .filter((file) => !text.includes(`\`${file}\``))
}

test('docs/bounds.md names every file that keeps a collection or a limiter', () => {
  expect(unnamedFiles(readTree(path.join(root, 'src')), page)).toEqual([])
})

test('a file that is not named is reported', () => {
  const tree = treeOf({
    'server/a.ts': 'const a = new Map<string, { b: () => void; c: number }>()',
    'server/b.ts': 'const b = createKeyedLimiter({ maxConcurrent: 1 })',
    'server/c.ts': 'const c = new Map(rows)',
    'server/cli/d.ts': 'const d = new Set()',
  })
  expect(unnamedFiles(tree, 'a `server/b.ts`')).toEqual(['server/a.ts'])
})
