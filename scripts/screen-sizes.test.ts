import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { chunksInCycles, filesOf, lateParts, type ScreenSizeLimits } from './screen-sizes.ts'

const manifest = {
  'index.html': { file: 'index.js', imports: ['_react.js'], css: ['index.css'] },
  '_react.js': { file: 'react.js' },
  'view.tsx': { file: 'view.js', imports: ['index.html', '_shared.js'], css: ['view.css'] },
  '_shared.js': { file: 'shared.js', imports: ['_react.js', '_shared.js'] },
  '_other.js': { file: 'other.js', name: 'other', imports: ['view.tsx'] },
}
const screen = (chunks: string[]): ScreenSizeLimits => ({
  name: 'one',
  chunks,
  scriptBytes: 0,
  styleBytes: 0,
})

test('a screen consists of the entry and its chunks with all their imports, each counted once', () => {
  expect(filesOf(manifest, screen(['view.tsx']))).toEqual({
    scripts: ['index.js', 'react.js', 'view.js', 'shared.js'],
    styles: ['index.css', 'view.css'],
  })
})

test('a chunk is found by its name as well', () => {
  expect(filesOf(manifest, screen(['other'])).scripts).toEqual([
    'index.js',
    'react.js',
    'other.js',
    'view.js',
    'shared.js',
  ])
})

test('a chunk that the build does not contain is an error', () => {
  expect(() => filesOf(manifest, screen(['gone.tsx']))).toThrow('The build has no gone.tsx.')
})

test('chunks that import each other are reported, and those that lead to them are not', () => {
  expect(
    chunksInCycles({ ...manifest, '_shared.js': { file: 'shared.js', imports: ['_react.js'] } }),
  ).toEqual([])
  expect(
    chunksInCycles({
      'index.html': { file: 'index.js', imports: ['_listing.js'] },
      '_listing.js': { file: 'listing.js', imports: ['_icons.js'] },
      '_icons.js': { file: 'icons.js', imports: ['frame.tsx'] },
      'frame.tsx': { file: 'frame.js', imports: ['_listing.js'] },
    }),
  ).toEqual(['_listing.js', '_icons.js', 'frame.tsx'])
})

test('every viewer has a limit', () => {
  const folder = path.resolve(import.meta.dirname, '../src/client/features/viewers')
  const lists = ['viewers.ts', 'text-renderings.ts'].map((name) =>
    readFileSync(path.join(folder, name), 'utf8'),
  )
  const views = [...lists.join().matchAll(/import\('\.\/(.*?)'\)/g)].map(
    ([, view]) => `features/viewers/${view}`,
  )
  const limited = new Set(lateParts.map(({ view }) => view))
  expect(views.length).toBeGreaterThan(15)
  // This viewer only loads the other form of a text, which has a limit of its own.
  expect(views.filter((view) => !limited.has(view))).toEqual(['features/viewers/text/rendering-viewer.tsx'])
})
