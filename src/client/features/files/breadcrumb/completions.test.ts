import { expect, test } from 'vitest'
import { suggestionsFor, typedPathOf } from './completions.ts'

test.each([
  ['/', { base: '/', folder: '/', prefix: '' }],
  ['/Do', { base: '/', folder: '/', prefix: 'Do' }],
  ['/Docs/', { base: '/Docs/', folder: '/Docs', prefix: '' }],
  ['/a b/100%/c', { base: '/a b/100%/', folder: '/a b/100%', prefix: 'c' }],
  ['Docs', { base: '', folder: '/', prefix: 'Docs' }],
  ['/../x', { base: '/../', folder: null, prefix: 'x' }],
])('the text %s is divided into folder and beginning of a name', (text, expected) => {
  expect(typedPathOf(text)).toEqual(expected)
})

test('names that begin with the typed letters are suggested, without regard to case', () => {
  const names = ['Docs', 'docs 2', 'Photos']
  expect(suggestionsFor(names, 'do')).toEqual(['Docs', 'docs 2'])
  expect(suggestionsFor(names, '')).toEqual(names)
  expect(suggestionsFor(names, 'Photos')).toEqual([])
  expect(suggestionsFor(names, 'photos')).toEqual(['Photos'])
})
