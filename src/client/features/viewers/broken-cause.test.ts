import { expect, test } from 'vitest'
import { brokenCauseOf } from './broken-cause.ts'

const causeOf = async (name: string, content: string): Promise<string | null> => {
  const address = `data:application/octet-stream;base64,${Buffer.from(content, 'latin1').toString('base64')}`
  return (await brokenCauseOf({ name, type: 'blob', address, sizeBytes: content.length }))?.kind ?? null
}

test.each([
  ['book.epub', 'PK\x03\x04'],
  ['comic.cbz', 'PK\x03\x04'],
  ['model.GLB', 'glTF'],
  ['letters.ttf', '\0\x01\0\0'],
  ['letters.ttf', 'OTTO'],
  ['letters.otf', 'true'],
  ['letters.otf', 'ttcf'],
  ['letters.woff', 'wOFF'],
  ['letters.woff2', 'wOF2'],
  ['scan.tif', 'II*\0'],
])('%s is damaged unless it begins as files of its format', async (name, start) => {
  expect(await causeOf(name, 'no such file')).toBe('damaged')
  expect(await causeOf(name, `${start}and more`)).toBe(null)
})

test('sound that every browser plays is damaged when it does not play, unless it is in another format', async () => {
  for (const name of ['a.mp3', 'a.flac']) {
    expect(await causeOf(name, 'fLaC and no sound')).toBe('damaged')
    expect(await causeOf(name, '0&\xb2u of Windows Media')).toBe(null)
  }
})
