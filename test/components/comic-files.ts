import sharp from 'sharp'
import type { FileTree } from '../kit/tree.ts'
import { makeZip } from '../kit/zip.ts'

/** Makes a page that a test can identify by its width. */
const pagePng = (number: number, height = 150) =>
  sharp({ create: { width: 100 + number, height, channels: 3, background: '#3060a0' } })
    .png()
    .toBuffer()

const numbers = Array.from({ length: 12 }, (_, index) => index + 1)
/** A comic of twelve pages, and comics that cannot be shown. */
export async function comicFiles(): Promise<FileTree> {
  return {
    'plain #?&+.cbz': makeZip([
      { name: 'ComicInfo.xml', content: '<ComicInfo/>' },
      { name: '__MACOSX/._1.png', content: 'no image' },
      // The order in the archive differs from that of the names, and from that of their characters.
      ...(await Promise.all(
        numbers
          .toReversed()
          .map(async (number) => ({ name: `a folder/Page ${number}.PNG`, content: await pagePng(number) })),
      )),
    ]),
    'cut.cbz': makeZip([{ name: '1.png', content: await pagePng(1) }]).subarray(0, 200),
    'no images.cbz': makeZip([{ name: 'a.txt', content: 'x' }]),
  }
}
