import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { fileOf, showFile } from '../../../../test/components/show-file.tsx'
import { brokenCauseOf } from './broken-cause.ts'

const reason = page.getByRole('status')

test.each([
  'text.stl',
  'cut.stl',
  'text.obj',
  'text.gltf',
  'value.gltf',
  'wrong.gltf',
  'text.tif',
  'cut.tif',
  'text.mp3',
  'zeros.flac',
  'unfinished.mp4',
])('%s cannot be shown, and is said to be damaged', async (name) => {
  await showFile(`/damaged/${name}`)
  await expect.element(page.getByText('The file seems to be damaged.', { exact: false })).toBeVisible()
})

test.each(['old.gltf', 'beside.gltf'])('%s cannot be shown, and is not said to be damaged', async (name) => {
  const file = await fileOf(`/unsupported/${name}`)
  await showFile(`/unsupported/${name}`)
  await expect.element(reason).toBeVisible()
  expect(await brokenCauseOf(file)).toBeNull()
  expect(reason.element().textContent).toBe('no preview')
})

test.each([
  ['words.md', 'This document is too complex'],
  ['columns.md', 'This document is too complex'],
  ['quotes.md', 'This document is too complex'],
  ['tags.md', 'This document is too complex'],
  ['paragraphs.html', 'This document is too complex'],
  ['directions.html', 'This document is too complex'],
  ['direction marks.md', 'This document is too complex'],
  ['marks.html', 'This document is too complex'],
  ['copies.svg', 'This drawing is too complex'],
  ['patterns.svg', 'This drawing is too complex'],
  ['marks.svg', 'This drawing is too complex'],
  ['columns.epub', 'This chapter'],
])('%s does not stop the page: %s', async (name, sentence) => {
  await showFile(`/hostile/${name}`)
  await expect.element(page.getByText(sentence, { exact: false })).toBeVisible()
})
