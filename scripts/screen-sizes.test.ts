import { expect, test } from 'vitest'
import { filesOf, type ScreenSizeLimits } from './screen-sizes.ts'

const manifest = {
  'index.html': { file: 'index.js', imports: ['_react.js'], css: ['index.css'] },
  '_react.js': { file: 'react.js' },
  'view.tsx': { file: 'view.js', imports: ['index.html', '_shared.js'], css: ['view.css'] },
  '_shared.js': { file: 'shared.js', imports: ['_react.js', '_shared.js'] },
  'other.tsx': { file: 'other.js' },
}
const screen = (views: string[]): ScreenSizeLimits => ({ name: 'one', views, scriptBytes: 0, styleBytes: 0 })

test('a screen consists of the entry and its views with all their imports, each counted once', () => {
  expect(filesOf(manifest, screen(['view.tsx']))).toEqual({
    scripts: ['index.js', 'react.js', 'view.js', 'shared.js'],
    styles: ['index.css', 'view.css'],
  })
})

test('a view that the build does not contain is an error', () => {
  expect(() => filesOf(manifest, screen(['gone.tsx']))).toThrow('The build has no gone.tsx.')
})
